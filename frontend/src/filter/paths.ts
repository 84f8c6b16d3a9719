// The files that cards changed, as conditions ask for them.
import type { beckon } from '../bridge';

/** As long a path is asked for: a saved view keeps no longer values. */
const longest = 200;

const none: readonly string[] = [];

function pathsOf(task: beckon.Task): readonly string[] {
  return task.changes.paths ?? none;
}

/** Whether a card changed more files than it carries along, so that some are not found. */
export function isCut(task: beckon.Task): boolean {
  return pathsOf(task).length < task.changes.files;
}

/** Whether a card changed any of the files. A value is a path; with a "/" at its end all that is below it; with a "*" for any signs, a pattern. */
export function touches(values: string[]): (task: beckon.Task) => boolean {
  const tests = values.map(testOf);
  return (task) => pathsOf(task).some((path) => tests.some((test) => test(path)));
}

function testOf(value: string): (path: string) => boolean {
  if (value.includes('*')) return pattern(value);
  return value.endsWith('/') ? (path) => path.startsWith(value) : (path) => path === value;
}

/** Looks for one part after the other: an expression made of it could take for ever. */
function pattern(value: string): (path: string) => boolean {
  const [first = '', ...rest] = value.toLowerCase().split('*');
  const last = rest.pop() ?? '';
  return (path) => {
    const text = path.toLowerCase();
    if (!text.startsWith(first)) return false;
    let at = first.length;
    for (const part of rest) {
      const found = text.indexOf(part, at);
      if (found < 0) return false;
      at = found + part.length;
    }
    return text.length - last.length >= at && text.endsWith(last);
  };
}

/** Cards are replaced and never altered, so what was read off one stays true. */
const values = new WeakMap<beckon.Task, readonly string[]>();

/** The files of a card and the folders that they are in, each once. */
function valuesOf(task: beckon.Task): readonly string[] {
  let all = values.get(task);
  if (all === undefined)
    values.set(
      task,
      (all = [...new Set(pathsOf(task).flatMap(withFolders))].filter(
        (value) => value.length <= longest && !value.includes('*'),
      )),
    );
  return all;
}

function withFolders(path: string): string[] {
  const all = [path];
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1))
    all.push(path.slice(0, at + 1));
  return all;
}

/** How many cards changed each file, and something in each folder. */
export function countPaths(tasks: readonly beckon.Task[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const task of tasks)
    for (const value of valuesOf(task)) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}
