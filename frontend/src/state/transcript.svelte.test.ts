import { beforeEach, expect, test, vi } from 'vitest';
import { api, BeckonError, type beckon } from '../bridge';
import { Transcript } from './transcript.svelte';
import { trim } from './window';

const entry = (pos: number): beckon.Entry => ({
  id: `e${pos}`,
  runId: 'r',
  pos,
  part: 0,
  kind: 'text',
  parent: '',
  text: '',
  notice: '',
  at: 0,
});

/** A log of so many lines, read as Beckon reads it: a cursor is the line where a page begins or ends. */
let length = 0;

function page(from: number, to: number): beckon.TranscriptPage {
  const [begin, end] = [Math.max(0, from), Math.min(length, to)];
  return {
    taskId: 'a',
    before: begin > 0 ? `r/${begin}` : '',
    after: end < length ? `r/${end}` : '',
    entries: Array.from({ length: end - begin }, (_, i) => entry(begin + i)),
  };
}

const line = (cursor: string) => Number(cursor.split('/')[1]);

beforeEach(() => {
  vi.restoreAllMocks();
  length = 5000;
  vi.spyOn(api, 'runs').mockResolvedValue([{ id: 'r', taskId: 'a', number: 1 } as beckon.Run]);
  vi.spyOn(api, 'questions').mockResolvedValue([]);
  vi.spyOn(api, 'transcript').mockImplementation(async (_, before, limit) =>
    page((before ? line(before) : length) - limit, before ? line(before) : length),
  );
  vi.spyOn(api, 'transcriptAfter').mockImplementation(async (_, after, limit) =>
    page(line(after), line(after) + limit),
  );
  vi.spyOn(api, 'transcriptAround').mockImplementation(async (_, { pos }, limit) =>
    page(pos - limit / 2, pos + limit / 2),
  );
});

async function loaded(): Promise<Transcript> {
  const transcript = new Transcript('a', () => 1);
  await transcript.load();
  return transcript;
}

/** What is loaded, as "from-to"; a gap or a repetition is an error. */
function span({ entries }: Transcript): string {
  expect(
    entries.every((e, i) => e.pos === entries[0]!.pos + i),
    'one after the other',
  ).toBe(true);
  return `${entries[0]?.pos}-${entries.at(-1)?.pos}`;
}

/** The agent says something more. */
function says(transcript: Transcript, count = 1): void {
  transcript.take(Array.from({ length: count }, () => ({ taskId: 'a', entry: entry(length++) })));
}

test('a long transcript is read to its beginning and back, and never held whole', async () => {
  const transcript = await loaded();
  for (let most = 0; transcript.more; most = Math.max(most, transcript.entries.length)) {
    transcript.reading = transcript.entries[0]!;
    await transcript.older();
    expect(most).toBeLessThanOrEqual(1500);
    span(transcript);
  }
  expect([transcript.entries[0]!.pos, transcript.newer]).toEqual([0, true]);
  while (transcript.newer) {
    transcript.reading = transcript.entries.at(-1)!;
    await transcript.later();
    expect(transcript.entries.length).toBeLessThanOrEqual(1500);
    span(transcript);
  }
  expect([transcript.entries.at(-1)!.pos, transcript.more]).toEqual([4999, true]);
});

test('a jump shows the place and both its sides, and the way back is the end as it is then', async () => {
  const transcript = await loaded();
  await transcript.moveTo({ runId: 'r', pos: 1000 });
  expect([span(transcript), transcript.more, transcript.newer]).toEqual(['900-1099', true, true]);
  says(transcript, 3);
  expect(span(transcript), 'what is said elsewhere is not put next to it').toBe('900-1099');
  await transcript.later();
  expect(span(transcript)).toBe('900-1299');
  await transcript.toEnd();
  says(transcript);
  expect([span(transcript), transcript.newer]).toEqual(['4803-5003', false]);
});

test('what is said while the last page is read is neither lost nor told twice', async () => {
  const transcript = await loaded();
  await transcript.moveTo({ runId: 'r', pos: 4700 });
  vi.mocked(api.transcriptAfter).mockImplementationOnce(async (_, after) => {
    const read = page(line(after), length);
    says(transcript, 2);
    return read;
  });
  await transcript.later();
  expect([span(transcript), transcript.newer]).toEqual(['4600-5001', false]);
});

test('what is said while the end is read twice at once is not lost', async () => {
  length = 0;
  const transcript = new Transcript('a', () => 1);
  const replies: (() => void)[] = [];
  const late = () =>
    new Promise<beckon.TranscriptPage>((resolve) => {
      const read = page(0, length);
      replies.push(() => resolve(read));
    });
  vi.mocked(api.transcript).mockImplementationOnce(late).mockImplementationOnce(late);
  const opened = transcript.load();
  const attached = transcript.load();
  says(transcript, 2);
  replies[0]!();
  await opened;
  says(transcript);
  replies[1]!();
  await attached;
  await vi.waitFor(() => expect(span(transcript)).toBe('0-2'));
});

test('a place that is loaded is not read again', async () => {
  const transcript = await loaded();
  await transcript.moveTo({ runId: 'r', pos: 4900 });
  expect(api.transcriptAround).not.toHaveBeenCalled();
});

test('of two jumps the later one holds, whichever page comes first', async () => {
  const transcript = await loaded();
  let slow = () => {};
  vi.mocked(api.transcriptAround).mockImplementationOnce(
    () => new Promise((resolve) => (slow = () => resolve(page(900, 1100)))),
  );
  const first = transcript.moveTo({ runId: 'r', pos: 1000 });
  await transcript.moveTo({ runId: 'r', pos: 3000 });
  slow();
  await first;
  expect(span(transcript)).toBe('2900-3099');
});

test('an agent that talks for hours does not fill the page, and its last words are shown', async () => {
  const transcript = await loaded();
  for (let i = 0; i < 30; i++) {
    says(transcript, 200);
    await new Promise((resolve) => setTimeout(resolve));
    expect(transcript.entries.length).toBeLessThanOrEqual(600);
  }
  expect(span(transcript)).toMatch(/-10999$/);
});

test('who reads further up is left there, however much is said meanwhile', async () => {
  const transcript = await loaded();
  says(transcript, 1000);
  transcript.reading = { runId: 'r', pos: 5900 };
  for (let i = 0; i < 20; i++) {
    says(transcript, 100);
    await new Promise((resolve) => setTimeout(resolve));
    expect(transcript.entries.some((e) => e.pos === 5900)).toBe(true);
  }
  expect(transcript.entries.length).toBeLessThanOrEqual(1500);
  expect(transcript.newer).toBe(true);
  span(transcript);
});

test('a page that cannot be read says so, keeps what is shown, and comes when it is tried again', async () => {
  const transcript = await loaded();
  vi.mocked(api.transcript).mockRejectedValueOnce(new BeckonError('unreachable', 'gone'));
  await expect(transcript.older()).rejects.toThrow();
  expect([span(transcript), transcript.failure?.error.code]).toEqual(['4800-4999', 'unreachable']);
  await transcript.failure!.again();
  expect([span(transcript), transcript.failure]).toEqual(['4600-4999', undefined]);
});

/** Beckon leaves out what the agent says, and tells of it. */
function skips(transcript: Transcript, count: number): void {
  length += count;
  transcript.take([{ taskId: 'a', reload: 'a' }]);
}

test('a flood of which a part was left out has no gap, neither in it nor when it ebbs', async () => {
  const transcript = await loaded();
  for (let i = 0; i < 3; i++) {
    skips(transcript, 700);
    says(transcript, 30);
    expect(span(transcript), 'what follows on a gap waits').not.toContain(`${length - 1}`);
    await vi.waitFor(() => expect(span(transcript)).toContain(`-${length - 1}`));
  }
  says(transcript);
  expect(span(transcript)).toContain(`-${length - 1}`);
  await transcript.older();
  span(transcript);
});

test('what is said while the end is read again follows it, and another gap is closed as well', async () => {
  const transcript = await loaded();
  vi.mocked(api.transcript).mockImplementationOnce(async () => {
    const read = page(length - 100, length);
    says(transcript, 3);
    skips(transcript, 500);
    says(transcript, 2);
    return read;
  });
  skips(transcript, 20);
  await vi.waitFor(() => expect(span(transcript)).toMatch(/-5524$/));
});

test('a flood leaves who reads further up where they are, with a way on', async () => {
  const transcript = await loaded();
  transcript.reading = { runId: 'r', pos: 4850 };
  skips(transcript, 2000);
  await vi.waitFor(() => expect(transcript.newer).toBe(true));
  expect(span(transcript)).toBe('4800-4999');
  await transcript.later();
  expect(span(transcript)).toBe('4800-5199');
});

test('a transcript that is glanced at keeps little, has its end, and is read on from its beginning', async () => {
  const transcript = await loaded();
  transcript.glanced = true;
  for (let i = 0; i < 20; i++) {
    says(transcript, 37);
    expect(transcript.entries.length).toBeLessThanOrEqual(240);
  }
  expect(span(transcript)).toMatch(/-5739$/);
  const first = transcript.entries[0]!.pos;
  await transcript.older();
  expect(span(transcript)).toBe(`${first - 200}-5739`);
});

test('a call that is no longer loaded does not come back alone with its result', async () => {
  const transcript = await loaded();
  says(transcript, 600);
  const from = transcript.entries[0]!.pos;
  transcript.take([{ taskId: 'a', entry: entry(from - 50) }]);
  expect(transcript.entries[0]!.pos).toBe(from);
});

test('the entries of one line are cut off together', async () => {
  const parts = Array.from({ length: 50 }, (_, i) => ({
    ...entry(Math.floor(i / 20)),
    id: `p${i}`,
    part: i % 20,
  }));
  const cut = (from: 'oldest' | 'newest') =>
    trim({ entries: parts, bounds: { before: '', after: '' } }, { most: 38, from }, () => 1);
  expect([cut('oldest').entries.length, cut('oldest').bounds.before]).toEqual([30, 'r/1']);
  expect([cut('newest').entries.length, cut('newest').bounds.after]).toEqual([40, 'r/2']);
});

test('who comes back sees the end at once, and then what came since without a gap', async () => {
  const seen = (await loaded()).seen()!;
  for (const more of [10, 1000]) {
    length = 5000 + more;
    const back = new Transcript('a', () => 1, seen);
    expect(span(back)).toBe('4900-4999');
    says(back);
    expect(span(back), 'what comes now does not follow on it').toBe('4900-4999');
    await back.load();
    span(back);
    expect(back.entries.at(-1)!.pos).toBe(length - 1);
    says(back);
    expect(span(back)).toMatch(new RegExp(`-${length - 1}$`));
  }
});
