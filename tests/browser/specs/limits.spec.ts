// Budgets, the quota of plans and what was spent, by keys: a budget that is reached asks, and
// one key raises it.
import { choose } from '../support/choose';
import { expect, test } from '../support/fixture';
import { newcomer } from '../support/beckon';
import { judge } from '../support/judge';
import { patience } from '../support/patience';

const quota = (info: object) =>
  `say ${JSON.stringify({ type: 'rate_limit_event', rate_limit_info: info })}`;
const script = `${quota({ status: 'allowed_warning', resetsAt: '+2h', rateLimitType: 'five_hour', utilization: 0.82 })}
${quota({ status: 'allowed', resetsAt: '+100h', rateLimitType: 'seven_day' })}
ask Go on? | Yes | No
text Done.`;

test('a budget that is reached asks, and one key raises it', async ({ page, start }) => {
  const beckon = await start(script);
  const [task] = await beckon.openWith(page, {
    title: 'Bound the merge iterator',
    status: 'backlog',
  });
  const card = page.getByRole('article', { name: /^SAM-1/ });
  /** Answers the agent, once it asks; the first time a message is to wait for the turn's end. */
  const answer = async (before: number) => {
    const asked = async () =>
      (await beckon.questions(page, task!)).filter((q) => q.settlement === 'open');
    await expect.poll(async () => (await asked()).length, { timeout: patience(20_000) }).toBe(1);
    if (before === 0)
      await beckon.call(page, 'SendMessage', task!.id, {
        text: 'Then this.',
        images: [],
        manner: 'queue',
      });
    await beckon.call(page, 'AnswerQuestion', (await asked())[0]!.id, {
      items: [{ labels: ['Yes'], other: '' }],
      verdict: '',
      text: '',
    });
  };
  await card.focus();
  await page.keyboard.press('ControlOrMeta+K');
  await page.keyboard.type('Budget');
  await page.getByRole('option', { name: /^Budget…/ }).click();
  const sheet = page.getByRole('dialog', { name: 'Limits and budgets' });
  const amount = sheet.getByLabel(/^Limit of SAM-1/);
  await expect(amount).toBeFocused();
  await expect(sheet).toContainText('No agent has said anything of its quota yet.');
  await page.keyboard.type('a lot');
  await expect(sheet.getByRole('button', { name: 'Save' }).first()).toBeDisabled();
  await amount.fill('0.01');
  await page.keyboard.press('Enter');
  await expect(page.getByText(/^Saved the limit of SAM-1/)).toBeVisible();
  await judge(page, 'the limits of a task');
  await page.keyboard.press('Escape');
  await expect(card).toContainText('$0.00 of $0.01');

  // Two messages wait for the turn that uses the budget up.
  await card.focus();
  await page.keyboard.press('ControlOrMeta+K');
  await page.keyboard.type('Start');
  await page
    .getByRole('option', { name: /^Start/ })
    .first()
    .click();
  await answer(0);
  await expect(card).toContainText('Paused at its budget', { timeout: patience(20_000) });
  await expect(card).toHaveAccessibleName(/Needs you/i);
  await expect(page.locator('.rail').getByText('82 %')).toBeVisible();
  await card.focus();
  await expect(card.getByRole('button', { name: /^Raise by \$0\.\d\d, carry on/ })).toBeVisible();
  await expect(card).toContainText('no clock');
  await judge(page, 'a task that is paused at its budget');
  await page.waitForTimeout(newcomer);
  await page.keyboard.press('1');
  await expect(card).not.toContainText('Paused at its budget');
  await answer(1);
  await expect(card).toContainText('Paused at its budget', { timeout: patience(20_000) });
  await card.focus();
  await page.waitForTimeout(newcomer);
  await page.keyboard.press('2');
  await expect(card).not.toContainText('Paused at its budget');
  await expect(card).toHaveAccessibleName(/(Review|stopped)/i, { timeout: patience(20_000) });

  await page
    .locator('.rail')
    .getByRole('button', { name: /^Limits and budgets/ })
    .press('Enter');
  await expect(sheet.getByRole('row', { name: /Claude.*5 hours 82 %/ })).toBeVisible();
  await expect(sheet.getByRole('row', { name: /Claude.*Week not said/ })).toBeVisible();
  const totals = sheet.getByLabel('Totals by');
  for (const [by, row] of [
    ['task', /SAM-1 Bound the merge iterator 2/],
    ['run', /SAM-1, run 2/],
    ['project', /sample 2/],
    ['day', /2 .*\$0\.\d\d/],
    ['agent', /Claude Code 2/],
    ['machine', /This computer 2/],
  ] as const) {
    await choose(totals, by);
    await expect(sheet.getByRole('row', { name: row })).toBeVisible();
  }
  await judge(page, 'limits and totals');
});

test('a new task has a budget from its form, and its pane says what is spent of it', async ({
  page,
  start,
}) => {
  const beckon = await start('ask Go on? | Yes | No\ntext Done.');
  await beckon.openWith(page, { title: 'Other', status: 'backlog' });
  await page.reload(); // so that no field has the focus
  await page.getByRole('article', { name: /^SAM-1/ }).waitFor();
  await page.keyboard.press('c');
  const form = page.getByRole('dialog', { name: /New task/ });
  await form.getByLabel('Title').fill('Spend');
  await form.getByRole('button', { name: 'Budget', exact: true }).press('Enter');
  await page.keyboard.type('0,0,2');
  await page.keyboard.press('ControlOrMeta+Enter'); // is refused, and nothing is lost
  await expect(page.getByText(/^“0,0,2” is no amount/)).toBeVisible();
  const amount = form.getByRole('textbox', { name: /^budget/ });
  await expect(amount).toBeFocused();
  await expect(amount).toHaveValue('0,0,2');
  await amount.fill('0.02');
  await judge(page, 'a new task with a budget');
  await page.keyboard.press('ControlOrMeta+Enter');
  const card = page.getByRole('article', { name: /^SAM-2, needs you/ });
  await expect(card).toContainText('$0.00 of $0.02', { timeout: patience(20_000) });
  await beckon.open(page, '#/task/SAM-2');
  const said = page.getByRole('button', { name: '$0.00 of $0.02' });
  await said.press('Enter');
  await expect(page.getByLabel(/^Limit of SAM-2/)).toHaveValue('0.02');
  await page.keyboard.press('Escape');
  await judge(page, 'the page of a task with a budget');
});
