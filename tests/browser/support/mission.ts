// Agents for Mission Control: one kind for each state that a pane can be in.
import { expect, type Page } from '@playwright/test';
import type { Beckon, Task } from './beckon';
import { patience } from './patience';

/** Each knows its task by the title. Those that work ask on request. */
export const agents = [
  `match: Ask
text I look around, then I ask.
ask_user {"questions":[{"question":"How should overlaps be treated?","header":"Overlaps","options":[{"label":"Reject","description":"Strict, and easiest to explain."},{"label":"Merge","description":"Silent for callers."},{"label":"Warn","description":"Merge, and say so."}]}]}
text Noted: \${answer}.
sleep 120s`,
  `match: Permit
permit Bash {"command":"touch permitted","description":"Makes a file"}
text Carried on.
sleep 120s`,
  `match: Plan
plan "# Two steps\\n\\n1. Read\\n2. Write"
text Planned.
sleep 120s`,
  `match: Work
text I work for a while.
expect now
ask_user {"question":"Left or right?","options":[{"label":"Left"},{"label":"Right"}]}
text Went \${answer}.
sleep 120s`,
  `match: Finish
write src/more.ts "export const more = () => 'more';\\n"
text Done.`,
  `match: Fail
error 400 The request was refused`,
];

/** The pane of a task, by its key and, where it matters, how it stands. */
export function pane(page: Page, key: string, state = '') {
  return page.getByRole('region', { name: new RegExp(`^${key}, .*${state}`) });
}

/** The keys of the panes in view, in order. */
export async function order(page: Page): Promise<string[]> {
  const names = await page
    .locator('.pane')
    .evaluateAll((panes) => panes.map((one) => one.getAttribute('aria-label') ?? ''));
  return names.map((name) => name.split(',')[0]!);
}

interface Mission {
  layout: number;
  panes: { taskId: string }[];
  removed: string[];
  maximised: string;
}

/** What Beckon has kept of Mission Control, as a page that attaches gets it. */
export async function kept(beckon: Beckon, page: Page): Promise<Mission> {
  const frame = await beckon.call<{ events: { mission?: Mission }[] }>(
    page,
    'Attach',
    'missionprobe',
  );
  return frame.events.find((event) => event.mission)!.mission!;
}

/** Opens Mission Control with a task for each title, and waits until each is what its title says. */
export async function openMission(
  beckon: Beckon,
  page: Page,
  titles: string[],
  layout: 1 | 4 | 6 | 9,
): Promise<Task[]> {
  await beckon.open(page);
  const settings = { slots: 12, language: '', theme: '', singleKeys: true };
  await beckon.call(page, 'SaveSettings', settings);
  await beckon.call(page, 'SaveMission', { layout, panes: [], removed: [], maximised: '' });
  const tasks = await beckon.openWith(
    page,
    ...titles.map((title) => ({ title, policy: 'wait' as const })),
  );
  const stands: Record<string, RegExp> = {
    Ask: /needs you/,
    Permit: /needs you/,
    Plan: /needs you/,
    Work: /Running/,
    Finish: /Review/,
    Fail: /Stopped/,
  };
  for (const [i, title] of titles.entries()) {
    const card = page.getByRole('article', {
      name: new RegExp(`^${tasks[i]!.key}, ${stands[title.split(' ')[0]!]!.source}`),
    });
    await expect(card).toBeVisible({ timeout: patience(30_000) });
    if (!title.startsWith('Work')) continue;
    // A message to an agent that has not begun waits for the end of its turn.
    const said = async () =>
      JSON.stringify(await beckon.call(page, 'Transcript', tasks[i]!.id, '', 50));
    await expect.poll(said, { timeout: patience(30_000) }).toContain('I work for a while.');
  }
  await beckon.open(page, '#/mission');
  await expect(page.locator('.pane').first()).toBeVisible();
  // What the page does on its own is saved; what the test does next stands.
  await expect.poll(async () => (await kept(beckon, page)).panes.length).toBeGreaterThan(0);
  return tasks;
}
