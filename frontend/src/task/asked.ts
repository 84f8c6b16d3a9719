// What is said of a task's questions, one by one and together.

import type { beckon } from '../bridge';
import { clock as span, duration } from '../i18n/format';
import { t } from '../i18n/index.svelte';
import { said } from '../i18n/reason';
import { answerableLate, isUnasked, saidOf, subjectOf, tookOf, wasWords } from '../question/words';
import { askerOf, waits } from '../state';
import { oneLine } from '../text/plain';

/** From where a question was settled. */
export type From = Exclude<beckon.Answer['by'], ''> | 'clock' | 'nobody' | '';

/** From where it was settled; empty while it waits. */
export function fromOf(q: beckon.Question): From {
  if (waits(q)) return '';
  if (q.answer) return q.answer.by || 'user';
  return q.settlement === 'expired' && !isUnasked(q) ? 'clock' : 'nobody';
}

/** The same in words: the device's name, "Telegram, @mira", "the clock". */
export function fromWords(q: beckon.Question): string {
  const from = fromOf(q);
  const name = oneLine(q.answer?.byName ?? '');
  if (from === '') return '';
  if (from === 'phone') return name || t('asked.from_phone');
  if (from === 'telegram' && name) return t('asked.fromTelegram', { name });
  return from === 'nobody' ? askerOf(q) : t(`asked.from_${from}`);
}

/** Whether the agent is not known to have an answer that was given. */
export function unheard(q: beckon.Question): boolean {
  return !waits(q) && q.answer !== undefined && q.delivered === 0 && q.taskId !== '';
}

/** What kind of thing was asked, with how many options. */
export function kindWords(q: beckon.Question): string {
  if (q.kind !== 'ask') return t(`asked.kind_${q.kind}`);
  if (q.items.length > 1) return t('question.count', { n: q.items.length });
  const n = q.items[0]?.options.length ?? 0;
  return n === 0 ? t('asked.words') : t('asked.options', { n });
}

/** The answer, and what is to be said besides it. */
export function answerWords(q: beckon.Question): { said: string; more: string } {
  const assumed = q.assumption ? t('question.assumed', { what: oneLine(q.assumption) }) : '';
  if (waits(q)) return { said: '', more: t('asked.waits') };
  const after = q.waitMs > 0 ? q.waitMs : tookOf(q);
  const ranOut = isUnasked(q)
    ? t('question.unasked', { agent: askerOf(q) })
    : q.settlement === 'expired'
      ? t(q.kind === 'ask' ? 'asked.ranOut' : 'asked.ranOutDenied', {
          agent: askerOf(q),
          time: span(after),
        })
      : '';
  if (q.answer) {
    const late = ranOut && t('task.answeredLate');
    return {
      said: saidOf(q, q.answer),
      more: [late, wasWords(q), unheard(q) ? t('asked.unheard') : '', assumed]
        .filter(Boolean)
        .join('. '),
    };
  }
  return { said: '', more: [ranOut || t('asked.withdrawn'), assumed].filter(Boolean).join('. ') };
}

/** A step of what became of a question. `at` is 0 for what comes next. */
export interface Step {
  at: number;
  words: string;
}

/** What became of a question, step by step. `run` is the one that asked. */
export function trailOf(
  q: beckon.Question,
  run: Pick<beckon.Run, 'number' | 'ended'> | undefined,
): Step[] {
  const agent = askerOf(q);
  const steps: Step[] = isUnasked(q)
    ? []
    : [{ at: q.asked, words: t('asked.stepAsked', { agent }) }];
  if (q.settlement === 'expired')
    steps.push({
      at: q.asked + (q.waitMs || tookOf(q)),
      words: answerWords({ ...q, answer: undefined } as beckon.Question).more,
    });
  const [first, ...changes] = [...(q.earlier ?? []), ...(q.answer ? [q.answer] : [])];
  if (first)
    steps.push({
      at: first.at || q.settled,
      words: q.earlier
        ? t('change.stepFirst', {
            how: givenWords({ ...q, answer: first }),
            answer: saidOf(q, first),
          })
        : givenWords(q),
    });
  for (const answer of changes)
    steps.push({
      at: answer.at,
      words: t('change.stepChanged', {
        answer: saidOf(q, answer),
        from: fromWords({ ...q, answer }),
      }),
    });
  if (!first && q.settlement === 'withdrawn')
    steps.push({ at: q.settled, words: oneLine(said(q.why)) || t('asked.withdrawn') });
  if (q.delivered > 0) steps.push({ at: q.delivered, words: t('asked.stepHeard', { agent }) });
  if (unheard(q) && run && run.ended > 0)
    steps.push({ at: run.ended, words: t('asked.stepStopped', { number: run.number }) });
  steps.sort((a, b) => a.at - b.at);
  if (unheard(q))
    steps.push({
      at: 0,
      words: t(run && run.ended > 0 ? 'asked.stepNext' : 'asked.stepOnItsWay', { agent }),
    });
  else if (answerableLate(q)) steps.push({ at: 0, words: t('asked.stepLate', { agent }) });
  return steps;
}

function givenWords(q: beckon.Question): string {
  const by = q.answer!.by || 'user';
  if (by === 'phone') return t('asked.givenPhone', { name: fromWords(q) });
  return t(`asked.given_${by}`, { name: fromWords(q) });
}

/** All questions in a sentence or two. */
export function sumOf(questions: beckon.Question[]): string {
  const by = (...from: From[]) => questions.filter((q) => from.includes(fromOf(q))).length;
  const rules = by('rule');
  const clock = by('clock');
  const people = questions.filter((q) => q.answer !== undefined).length - rules;
  const parts = [
    t('question.count', { n: questions.length }),
    people > 0 ? t('asked.sumYou', { n: people }) : '',
    clock > 0 ? t('asked.sumClock', { n: clock }) : '',
    rules > 0 ? t('asked.sumRules', { n: rules }) : '',
  ];
  const waited = questions.reduce((sum, q) => sum + (waits(q) ? 0 : tookOf(q)), 0);
  return [
    parts.filter(Boolean).join(', '),
    waited > 0 ? t('asked.sumWaited', { time: duration(waited) }) : '',
  ]
    .filter(Boolean)
    .join('. ');
}

/** All that one may remember of a question, in small letters. */
export function textOf(q: beckon.Question): string {
  const items = q.items.flatMap((item) => [
    item.header,
    item.text,
    ...item.options.map((o) => o.label),
  ]);
  return [
    subjectOf(q),
    ...items,
    q.assumption,
    ...[...(q.earlier ?? []), ...(q.answer ? [q.answer] : [])].map((answer) => saidOf(q, answer)),
    q.answer?.text ?? '',
    fromWords(q),
  ]
    .join('\n')
    .toLowerCase();
}

/** The questions and answers as text, for another place. */
export function copyOf(questions: beckon.Question[]): string {
  const one = (q: beckon.Question) => {
    const { said, more } = answerWords(q);
    const asked =
      q.items.length > 1 ? q.items.map((item) => oneLine(item.text)).join(' · ') : subjectOf(q);
    return `- ${asked}\n  ${[said, more, fromWords(q)].filter(Boolean).join(' · ')}\n`;
  };
  return questions.map(one).join('');
}

/** The landmark at which a question stands in the session: that of its run, the nearest in time. */
export function landmarkOf(
  q: Pick<beckon.Question, 'runId' | 'asked'>,
  marks: beckon.Landmark[],
): beckon.Landmark | undefined {
  const near = (m: beckon.Landmark) => Math.abs(m.at - q.asked);
  return marks
    .filter((m) => m.kind === 'question' && m.runId === q.runId && m.at > 0)
    .sort((a, b) => near(a) - near(b))[0];
}
