// How large a picture may be, and what is tried to make it so.

import type { beckon } from '../bridge';

/** The long edge, in pixels, beyond which the model sees no more. */
export const longEdge = 1568;

/** What a kept picture may weigh, in bytes; Beckon holds to it as well. */
export const mostBytes = 700 << 10;

/** The pictures that go with one message at most. */
export const mostImages = 8;

/** What a text file may weigh, in bytes, that is put into a message. */
export const mostText = 200 << 10;

/** A file beyond this is not even looked at: decoding it could freeze the page. */
export const mostFile = 64 << 20;

/** Size is a width and a height in pixels. */
export interface Size {
  width: number;
  height: number;
}

/** Try is one way to write a picture. */
export interface Try {
  type: 'image/png' | 'image/jpeg';
  quality: number;
  size: Size;
}

/** imageSize is the size with the long edge at most `most`, in whole pixels of at least one. */
export function imageSize({ width, height }: Size, most = longEdge): Size {
  const scale = Math.min(1, most / Math.max(width, height, 1));
  return {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  };
}

/**
 * triesOf are the ways to write a picture, the best first; the first whose
 * bytes fit is taken. A photograph stays one; all else is exact if it can be.
 */
export function triesOf(type: string, size: Size): Try[] {
  const full = imageSize(size);
  const jpeg = [0.9, 0.8, 0.65].map((quality): Try => ({
    type: 'image/jpeg',
    quality,
    size: full,
  }));
  const smaller = [0.75, 0.5, 0.25].map((by): Try => ({
    type: 'image/jpeg',
    quality: 0.75,
    size: imageSize(size, longEdge * by),
  }));
  const exact: Try[] = type === 'image/jpeg' ? [] : [{ type: 'image/png', quality: 1, size: full }];
  return [...exact, ...jpeg, ...smaller];
}

/** What a file is to a message. */
export type FileKind = 'image' | 'text' | 'tooBig' | 'other';

const pictures = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];
const texts = /^text\/|^application\/(json|xml|javascript|x-sh|x-yaml|toml|sql)|\+(json|xml)$/;

/** kindOf tells what can be done with a file; one without a type may be text. */
export function kindOf({ type, size }: Pick<File, 'type' | 'size'>): FileKind {
  if (pictures.includes(type)) return size > mostFile ? 'tooBig' : 'image';
  if (type !== '' && !texts.test(type)) return 'other';
  return size > mostText ? 'tooBig' : 'text';
}

/** asBlock is a file's text as it stands in a message; undefined where it is no text. */
export function asBlock(name: string, text: string): string | undefined {
  if (text.includes('\u0000') || text.includes('\ufffd')) return undefined;
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${name}:\n${fence}\n${text.replace(/\n$/, '')}\n${fence}\n`;
}

/** withImage is the list with one more, once each, and no more than go along. */
export function withImage(images: beckon.Image[], image: beckon.Image): beckon.Image[] {
  if (images.some((one) => one.id === image.id)) return images;
  return [...images, image].slice(0, mostImages);
}
