import { expect, test } from 'vitest';
import type { beckon } from '../bridge';
import {
  asBlock,
  imageSize,
  kindOf,
  longEdge,
  mostFile,
  mostImages,
  mostText,
  triesOf,
  withImage,
} from './imageSize';

test('a picture keeps its shape, is never enlarged, and its long edge is what the model can see', () => {
  expect(imageSize({ width: 800, height: 600 })).toEqual({ width: 800, height: 600 });
  expect(imageSize({ width: 3136, height: 1568 })).toEqual({ width: longEdge, height: 784 });
  expect(imageSize({ width: 1000, height: 4000 })).toEqual({ width: 392, height: longEdge });
  expect(imageSize({ width: 20_000, height: 2 })).toEqual({ width: longEdge, height: 1 });
});

test('a screenshot stays exact if it can, a photograph a photograph, and each try is no larger than the one before', () => {
  expect(triesOf('image/png', { width: 10, height: 10 })[0]).toMatchObject({ type: 'image/png' });
  expect(triesOf('image/webp', { width: 10, height: 10 })[0]).toMatchObject({ type: 'image/png' });
  const tries = triesOf('image/jpeg', { width: 4000, height: 3000 });
  expect(tries.every((one) => one.type === 'image/jpeg')).toBe(true);
  const areas = tries.map((one) => one.size.width * one.size.height);
  expect(areas).toEqual([...areas].sort((a, b) => b - a));
  expect(Math.max(tries.at(-1)!.size.width, tries.at(-1)!.size.height)).toBeLessThan(longEdge / 3);
});

test('what fits a message is kept apart from what does not', () => {
  const table: [string, number, string][] = [
    ['image/png', 5 << 20, 'image'],
    ['image/png', mostFile + 1, 'tooBig'],
    ['image/svg+xml', 100, 'text'],
    ['', 100, 'text'],
    ['text/x-go', mostText + 1, 'tooBig'],
    ['application/json', 100, 'text'],
    ['application/zip', 100, 'other'],
    ['video/mp4', 100, 'other'],
  ];
  for (const [type, size, kind] of table) expect(kindOf({ type, size }), type).toBe(kind);
});

test('a text cannot leave the block that it is put in, and bytes are no text', () => {
  expect(asBlock('a.md', 'x\n````\ny\n')).toBe('a.md:\n`````\nx\n````\ny\n`````\n');
  expect(asBlock('a.txt', 'plain')).toBe('a.txt:\n```\nplain\n```\n');
  expect(asBlock('a', 'GIF\u0000')).toBeUndefined();
  expect(asBlock('a', '\ufffdPNG')).toBeUndefined();
});

test('a picture goes along once, and no more than Beckon takes', () => {
  const image = (id: string) => ({ id }) as beckon.Image;
  const full = Array.from({ length: mostImages }, (_, i) => image(String(i)));
  expect(withImage([image('a')], image('a'))).toHaveLength(1);
  expect(withImage(full, image('more'))).toEqual(full);
});
