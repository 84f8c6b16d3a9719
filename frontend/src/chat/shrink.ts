// Pictures made small enough in the page, so that what they tell beside what
// is seen (places, cameras) stays with the user.

import type { beckon } from '../bridge';
import { mostBytes, triesOf, type Try } from './imageSize';

/** shrink writes a picture so that it fits; it throws where it is none. */
export async function shrink(file: File): Promise<beckon.NewImage> {
  const picture = await createImageBitmap(file);
  try {
    for (const one of triesOf(file.type, picture)) {
      const blob = await draw(picture, one);
      if (blob.size <= mostBytes)
        return { name: named(file.name, one.type), data: await base64(blob) };
    }
    throw new Error('the picture does not get small enough');
  } finally {
    picture.close();
  }
}

function draw(picture: ImageBitmap, { type, quality, size }: Try): Promise<Blob> {
  const canvas = Object.assign(document.createElement('canvas'), size);
  const context = canvas.getContext('2d')!;
  if (type === 'image/jpeg') {
    // It knows no transparency and would make it black.
    context.fillStyle = 'white';
    context.fillRect(0, 0, size.width, size.height);
  }
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, 0, 0, size.width, size.height);
  return new Promise((resolve, reject) =>
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('the picture cannot be written'))),
      type,
      quality,
    ),
  );
}

function named(name: string, type: Try['type']): string {
  const stem = name.replace(/\.\w{1,5}$/, '') || 'image';
  return `${stem}.${type === 'image/png' ? 'png' : 'jpg'}`;
}

async function base64(blob: Blob): Promise<string> {
  const url = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(reader.error ?? new Error('the picture cannot be read'));
    reader.readAsDataURL(blob);
  });
  return url.slice(url.indexOf(',') + 1);
}
