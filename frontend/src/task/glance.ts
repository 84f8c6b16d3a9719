// What the pictures of a task's page show, computed from what the page knows.

import type { beckon } from '../bridge';
import { isUnasked } from '../question/words';

/** A file with its bar: how wide what went in and what went out is, in hundredths of the widest file. */
export interface FileBar extends beckon.FileSize {
  name: string;
  /** Empty at the top. */
  folder: string;
  in: number;
  out: number;
}

/** partsOf returns files with their bars. The smallest change is still seen. */
export function partsOf(files: readonly beckon.FileSize[]): FileBar[] {
  const widest = Math.max(1, ...files.map(({ added, removed }) => added + removed));
  const width = (lines: number) => (lines === 0 ? 0 : Math.max(1, (lines / widest) * 99));
  return files.map((file) => {
    const at = file.path.lastIndexOf('/');
    return {
      ...file,
      name: file.path.slice(at + 1),
      folder: file.path.slice(0, Math.max(0, at)),
      in: width(file.added),
      out: width(file.removed),
    };
  });
}

/** lineOf is the path of tokens over time in a box of 100 by 20; empty where there are not two spells. Times without tokens take no room. */
export function lineOf(spells: readonly Pick<beckon.Spell, 'tokens'>[]): string {
  if (spells.length < 2) return '';
  const most = Math.max(1, ...spells.map(({ tokens }) => tokens));
  const points = spells.map(({ tokens }, i) => {
    const x = (i / (spells.length - 1)) * 100;
    const y = 19 - (Math.max(0, tokens) / most) * 18;
    return `${x.toFixed(1)} ${y.toFixed(1)}`;
  });
  return `M${points.join(' L')}`;
}

export interface Wait {
  questions: number;
  /** How many nobody answered. */
  assumed: number;
  /** How long all of them waited, in milliseconds. */
  ms: number;
  open: boolean;
}

/** waitOf sums up how long questions waited, those that a standing answer settled at once among them; what an agent decided without asking is none. */
export function waitOf(
  all: readonly Pick<beckon.Question, 'asked' | 'settled' | 'settlement' | 'why'>[],
  now: number,
): Wait {
  const questions = all.filter((q) => !isUnasked(q));
  return {
    questions: questions.length,
    assumed: questions.filter(({ settlement }) => settlement === 'expired').length,
    ms: questions.reduce((sum, q) => sum + Math.max(0, (q.settled || now) - q.asked), 0),
    open: questions.some(({ settlement }) => settlement === 'open'),
  };
}
