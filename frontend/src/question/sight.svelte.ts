// What a card knows of its own visibility, and the sign that it gives when a
// key did nothing.

import { flushSync } from 'svelte';
import { t } from '../i18n/index.svelte';
import { announcer } from '../ui/announcer.svelte';
import { cutOf, type Part } from './seen';

/** How long the card says that a key did nothing, in milliseconds. */
const refusedMs = 3000;

/** Why a key does nothing. */
type Why = 'unseen' | 'changed';

/** Sight watches whether a card is whole on the screen. */
export class Sight {
  /** The first part that is cut; "" while a key may answer. */
  cut = $state<Part | ''>('');
  /** What is said of the key that did nothing. */
  refused = $state('');
  /** Counts the keys that did nothing, so that each moves the card. */
  shakes = $state(0);

  /** The classes of the sign: two in turn, since an animation of the same name does not begin again. */
  readonly refusal = $derived(
    this.refused !== '' && (this.shakes % 2 === 0 ? 'refused again' : 'refused'),
  );

  #card: HTMLElement | undefined;
  #tries = false;
  #frame = 0;
  #timer = 0;

  /**
   * Watches a card until the returned function is called. In a pane, whose
   * size does not depend on the card, another foot stands below what is cut:
   * there every look tries with the usual one first.
   */
  follow(card: HTMLElement, pane: HTMLElement | undefined): () => void {
    this.#card = card;
    this.#tries = pane !== undefined;
    const sizes = new ResizeObserver(() => this.look());
    sizes.observe(pane ?? card);
    const places = new IntersectionObserver(() => this.look(), {
      threshold: [0, 0.25, 0.5, 0.75, 1],
    });
    places.observe(card);
    const soon = () => {
      cancelAnimationFrame(this.#frame);
      this.#frame = requestAnimationFrame(() => this.look());
    };
    addEventListener('scroll', soon, { capture: true, passive: true });
    addEventListener('resize', soon);
    return () => {
      sizes.disconnect();
      places.disconnect();
      removeEventListener('scroll', soon, { capture: true });
      removeEventListener('resize', soon);
      cancelAnimationFrame(this.#frame);
      this.#card = undefined;
      this.calm();
    };
  }

  /** Measures what is on the screen. */
  look(): void {
    const card = this.#card;
    if (!card?.isConnected) return;
    if (this.#tries && this.cut !== '') flushSync(() => (this.cut = ''));
    this.cut = cutOf(card);
  }

  /** whole measures, and reports whether a key may answer. */
  whole(): boolean {
    this.look();
    return this.cut === '';
  }

  /** Shows that a key did nothing, and why. */
  refuse(key: string, why: Why): void {
    this.refused = t(why === 'unseen' ? 'question.refusedUnseen' : 'question.refusedChanged', {
      key,
    });
    this.shakes++;
    announcer.say(this.refused);
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => this.calm(), refusedMs);
  }

  /** Takes the sign back. */
  calm(): void {
    clearTimeout(this.#timer);
    this.refused = '';
  }
}
