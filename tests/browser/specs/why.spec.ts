// Why a line of the changes is there, by keys: the question, its answer, and the call.
import { expect, test } from '../support/fixture';
import { judge } from '../support/judge';
import { patience } from '../support/patience';

const script =
  'sleep 1500ms\nask Put it where? | Parser | Planner\ntext One place then: the planner.\n' +
  'write plan.txt @first\nrun printf "by a command\\n" > made.txt\nedit plan.txt two zwei\nsleep 1500ms\ntext Done.\n' +
  '-- first --\none\ntwo\nthree\n';

test('a line says which call wrote it and what was decided before, by keys', async ({
  page,
  start,
}) => {
  const beckon = await start(script);
  const [task] = await beckon.openWith(page, { title: 'Plan it' });
  const open = async () =>
    (await beckon.questions(page, task!)).filter((q) => q.settlement === 'open');
  await expect.poll(async () => (await open()).length, { timeout: patience(20_000) }).toBe(1);
  await beckon.call(page, 'AnswerQuestion', (await open())[0]!.id, {
    items: [{ labels: ['Planner'], other: '' }],
    verdict: '',
    text: '',
  });
  await expect(page.getByRole('article', { name: /^SAM-1, Review/ })).toBeVisible({
    timeout: patience(20_000),
  });
  await beckon.open(page, '#/task/SAM-1/changes');
  const diff = page.getByRole('region', { name: 'Changes' });
  await expect(diff.locator('.dl.a .code')).toHaveCount(4);
  await page.keyboard.press('j');
  await page.keyboard.press('y');
  const why = page.getByRole('region', { name: /^Why/ });
  await expect(why.getByText('within this command')).toBeVisible();
  await judge(page, 'why, of a command');
  await page.keyboard.press('Escape');
  await expect(why).toHaveCount(0);

  await page.keyboard.press('j');
  await page.keyboard.press('y');
  await expect(why.getByText('Why lines 1–3')).toBeVisible();
  await expect(why.getByText('Put it where?')).toBeVisible();
  await expect(why.getByText('Planner', { exact: true })).toBeVisible();
  await expect(why.getByText('One place then: the planner.')).toBeVisible();
  await expect(why.getByText('Edit 1')).toBeVisible();
  await expect(why.getByText('1 of 2')).toBeVisible();
  await judge(page, 'why, of an edit');
  await page.keyboard.press('Shift+Y');
  await expect(why.getByText('Edit 2')).toBeVisible();
  await page.keyboard.press('d');
  await expect(page).toHaveURL(/#\/decisions\/.+/);
  const details = page.getByRole('complementary', { name: 'Details' });
  await expect(details.getByRole('heading', { name: 'Put it where?' })).toBeVisible();
  await page.goBack();
  await expect(diff.locator('.dl.a .code')).toHaveCount(4);
  await page.keyboard.press('y');
  await expect(why.getByText(/^Why .* is as it is$/)).toBeVisible();
  await expect(why.getByText('within this command')).toBeVisible();
  await page.keyboard.press('Space');
  await expect(page).toHaveURL(/#\/task\/SAM-1\/session\//);

  // What is not shown any more is answered no more.
  await page.goBack();
  await expect(diff.locator('.dl.a .code')).toHaveCount(4);
  await page.keyboard.press('j');
  await page.keyboard.press('y');
  await expect(why.getByText('within this command')).toBeVisible();
  await page.keyboard.press('v');
  await expect(why).toHaveCount(0);
  await expect(diff.locator('.dl.a .code')).toHaveCount(3);
  await page.keyboard.press('Space');
  await expect(page).toHaveURL(/#\/task\/SAM-1\/changes$/);
});
