// The pictures of messages: how they get to Beckon, and back to the eye.

import { SvelteMap } from 'svelte/reactivity';
import { api, type beckon } from '../bridge';
import { shrink } from './shrink';

class Pictures {
  #urls = new SvelteMap<string, string>();
  #asked = new Set<string>();

  /** The address under which a kept picture is shown; "" until it is known. */
  url(image: beckon.Image): string {
    if (!this.#asked.has(image.id)) void this.#ask(image.id);
    return this.#urls.get(image.id) ?? '';
  }

  /** Makes a picture small enough and keeps it. */
  async keep(file: File): Promise<beckon.Image> {
    return api.keepImage(await shrink(file));
  }

  async #ask(id: string): Promise<void> {
    this.#asked.add(id);
    try {
      const url = await api.image(id);
      // Whatever Beckon keeps, the page shows pictures only.
      if (/^data:image\/(png|jpeg|gif|webp);base64,/.test(url)) this.#urls.set(id, url);
    } catch {
      this.#asked.delete(id); // it is asked for when it is shown the next time
    }
  }
}

/** The page's pictures. */
export const pictures = new Pictures();
