// A board in all the states that a card can be in.
import { expect, type Page } from '@playwright/test';
import type { Beckon, Task } from './beckon';
import { patience } from './patience';

/** What the agents of the full board do; each knows its task by the title. */
export const agents = [
  `match: Ask
text I look around, then **ask**.
read README.md
write asked.ts "export const asked = true;\\n"
ask_user {"questions":[{"question":"How should overlaps be treated?","header":"Overlaps","options":[{"label":"Reject","description":"Strict, and easiest to explain."},{"label":"Merge","description":"Silent for callers."},{"label":"Warn","description":"Merge, and say so."}]}]}
text Noted.`,
  `match: Permit
think A listing is enough.
permit Bash {"command":"rm -rf build","description":"Removes what was built"}`,
  `match: Work
text I work for a while.
run sleep 120`,
  `match: Finish
edit src/greet.ts hello hallo
write src/more.ts "export const more = () => 'more';\\n"
text Both are done.
- one
- two`.replace(/\n- /g, ' '),
  `match: Fail
error 400 The request was refused`,
];

/** Tasks of the full board, by what they do. */
export interface Full {
  ask: Task;
  work: Task;
  finish: Task;
  fail: Task;
}

/** Opens the board with a card in every state and waits until each is there. */
export async function openFull(beckon: Beckon, page: Page): Promise<Full> {
  await beckon.open(page);
  await beckon.call(page, 'SaveSettings', { slots: 6, language: '', theme: '', singleKeys: true });
  const brief = 'Queries such as `9-11, 10-12` parse today.\n\n- Report both\n- Keep the rest';
  const [ask, , work, finish, fail] = await beckon.openWith(
    page,
    {
      title: 'Ask how overlaps are treated',
      brief,
      policy: 'wait',
      labels: ['parser'],
      priority: 3,
    },
    { title: 'Permit a removal', policy: 'wait' },
    { title: 'Work for a long time' },
    { title: 'Finish both parts', brief, labels: ['docs'] },
    { title: 'Fail at the service' },
    { title: 'Later', status: 'backlog', labels: ['tracing'], priority: 1 },
  );
  await expect(page.getByRole('article', { name: /SAM-1, needs you/ })).toBeVisible({
    timeout: patience(20_000),
  });
  await expect(page.getByRole('article', { name: /SAM-2, needs you/ })).toBeVisible({
    timeout: patience(20_000),
  });
  await expect(page.getByRole('article', { name: /SAM-3, Running/ })).toContainText('Running', {
    timeout: patience(20_000),
  });
  await expect(page.getByRole('article', { name: /SAM-4, Review/ })).toBeVisible({
    timeout: patience(20_000),
  });
  await expect(page.getByRole('article', { name: /SAM-5, Stopped/ })).toBeVisible({
    timeout: patience(20_000),
  });
  return { ask: ask!, work: work!, finish: finish!, fail: fail! };
}
