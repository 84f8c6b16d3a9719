// A message that is being written, as it is kept.

import type { beckon } from '../bridge';
import { withImage } from './imageSize';

/** Draft is a message that is being written. */
export interface Draft {
  text: string;
  images: beckon.Image[];
}

/** The draft that nobody began. */
export const noDraft: Draft = { text: '', images: [] };

/** blank reports whether there is nothing to send. */
export function blank(draft: Draft): boolean {
  return draft.text.trim() === '' && draft.images.length === 0;
}

/** write makes the text that is kept; an empty one for nothing. */
export function write(draft: Draft): string {
  return draft.text === '' && draft.images.length === 0 ? '' : JSON.stringify(draft);
}

/** read reads what was kept; what is not understood is nothing. */
export function read(kept: string): Draft {
  try {
    const draft = JSON.parse(kept || 'null') as Partial<Draft> | null;
    if (typeof draft?.text !== 'string') return noDraft;
    return { text: draft.text, images: Array.isArray(draft.images) ? draft.images : [] };
  } catch {
    return noDraft;
  }
}

/** join is one draft of several, in order. */
export function join(...drafts: Draft[]): Draft {
  const text = drafts.map((draft) => draft.text).filter((one) => one.trim() !== '');
  return {
    text: text.join('\n\n'),
    images: drafts.flatMap((draft) => draft.images).reduce(withImage, [] as beckon.Image[]),
  };
}
