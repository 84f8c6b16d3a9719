// What a changed file is besides lines: an image, a binary, a link, a submodule, a pointer.

import type { beckon } from '../bridge';
import { fileSize } from '../i18n/format';
import { t } from '../i18n/index.svelte';

/** isPicture reports whether a file is drawn; whether it can be is known once it was read. */
export function isPicture(file: beckon.FileDiff): boolean {
  return (
    file.kind === 'file' && (file.binary ? /\.(png|jpe?g|gif|webp)$/i : /\.svg$/i).test(file.path)
  );
}

/** Two is a value before the change and one after it, as far as there are any. */
export interface Two<V> {
  before: V | undefined;
  after: V | undefined;
}

/** pointerOf returns the sizes of the file that a pointer of Git LFS stands for; undefined for anything else. */
export function pointerOf(file: beckon.FileDiff): Two<number> | undefined {
  const { patch } = file;
  if (patch.length > mostPointer || !pointed.test(patch)) return undefined;
  const sizes: Two<number> = { before: undefined, after: undefined };
  for (const [, sign, size] of patch.matchAll(sized)) {
    if (sign !== '+') sizes.before = Number(size);
    if (sign !== '-') sizes.after = Number(size);
  }
  return sizes;
}

/** A pointer has three lines. */
const mostPointer = 1000;
const pointed = /^@@[^\n]*\n[ +-]version https:\/\/git-lfs\.github\.com\/spec\/v1$/m;
const sized = /^([ +-])size (\d{1,15})$/gm;

/** commitsOf returns the commits that a submodule is at, short. */
export function commitsOf(file: beckon.FileDiff): Two<string> {
  const at = (sign: string) =>
    new RegExp(`^\\${sign}Subproject commit ([0-9a-f]{7})`, 'm').exec(file.patch)?.[1];
  return { before: at('-'), after: at('+') };
}

/** FileNote is what is said of a file in words. */
export type FileNote =
  | 'binary'
  | 'cut'
  | 'empty'
  | 'space'
  | 'moved'
  | 'mode'
  | 'emptyFile'
  | 'link'
  | 'toLink'
  | 'fromLink'
  | 'submodule'
  | 'pointer';

/** noteAbove returns what is said above a file's lines. */
export function noteAbove(file: beckon.FileDiff): FileNote | undefined {
  const was = kindBefore(file);
  if (file.kind === 'submodule') return 'submodule';
  if (file.kind === 'link') return was === 'link' ? 'link' : 'toLink';
  if (was === 'link') return 'fromLink';
  return pointerOf(file) ? 'pointer' : undefined;
}

function kindBefore(file: beckon.FileDiff): beckon.FileKind {
  const [mode = ''] = file.mode.split(' → ');
  if (mode.startsWith('12')) return 'link';
  return mode.startsWith('10') ? 'file' : file.kind;
}

/** noteOf returns what is said below a file's lines, or in their place. */
export function noteOf(
  file: beckon.FileDiff,
  lines: number,
  ignoreSpace: boolean,
): FileNote | undefined {
  if (file.binary) return isPicture(file) ? undefined : 'binary';
  if (file.cut) return 'cut';
  if (file.pending) return undefined;
  if (lines > 0 || file.kind === 'submodule') return undefined;
  const [was, is] = file.content.split('-');
  if (ignoreSpace && was !== is) return 'space';
  if (was === is && file.mode !== '') return 'mode';
  if (file.change === 'R') return 'moved';
  return file.change === 'M' ? 'empty' : 'emptyFile';
}

/** How many changed lines of a file are not in its diff, which was cut. */
function left(file: beckon.FileDiff): number {
  return file.added + file.removed - (file.patch.match(/^[+-]/gm)?.length ?? 0);
}

/** noteText returns a note in words. */
export function noteText(file: beckon.FileDiff, note: FileNote): string {
  if (note === 'binary')
    return sizes('binary', {
      before: file.change === 'A' ? undefined : file.oldSize,
      after: file.change === 'D' ? undefined : file.size,
    });
  if (note === 'pointer')
    return sizes('pointer', pointerOf(file) ?? { before: undefined, after: undefined });
  if (note === 'cut' && left(file) > 0) return t('review.cutLines', { n: left(file) });
  if (note === 'mode')
    return t(/755$/.test(file.mode) ? 'review.executable' : 'review.notExecutable');
  if (note !== 'submodule') return t(`review.${note}`);
  const { before = '', after = '' } = commitsOf(file);
  return before && after
    ? t('review.submoduleMoved', { before, after })
    : t(after ? 'review.submoduleAdded' : 'review.submoduleRemoved', { before, after });
}

function sizes(what: 'binary' | 'pointer', { before, after }: Two<number>): string {
  const size = after ?? before ?? -1;
  if (size < 0 || (before ?? 0) < 0) return t('review.binary');
  if (before === undefined || after === undefined)
    return t(`review.${what}One`, { size: fileSize(size) });
  return t(`review.${what}Two`, { before: fileSize(before), after: fileSize(after) });
}
