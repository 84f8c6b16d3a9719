// What a person wants of a folder that becomes a project.
import type { beckon } from '../bridge';

export interface Wish {
  key: string;
  base: string;
  trusted: boolean;
  /** Files such as .env are copied into worktrees. */
  copied: boolean;
  /** The file of another tool whose commands are taken over; empty: none. */
  setup: string;
}

export const noWish: Wish = { key: '', base: '', trusted: false, copied: false, setup: '' };

/** Nothing runs in worktrees. */
export const noScripts: beckon.ScriptSet = {
  setup: '',
  check: '',
  dev: '',
  copied: [],
  spare: false,
};

/** What is proposed: nothing of it runs anything. */
export function wishFor({ key, base, offer }: beckon.ProjectFound): Wish {
  return { ...noWish, key, base, copied: offer.env.length > 0 };
}

/** What the project's worktrees get and run by that wish. */
export function scriptsOf(wish: Wish, offer: beckon.Offer): beckon.ScriptSet {
  const taken = offer.setups.find((one) => one.file === wish.setup);
  return {
    ...noScripts,
    setup: taken?.setup ?? '',
    dev: taken?.dev ?? '',
    copied: wish.copied ? offer.envPatterns : [],
  };
}
