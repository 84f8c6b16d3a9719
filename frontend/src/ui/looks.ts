// How the page looks, as attributes of its root, which the style sheets know.

const kept = 'beckon.looks';

/** What is chosen in the settings; an empty word, or 0, is as the design has it. */
interface Chosen {
  theme: string;
  looks: { textSize: number; density: string; codeFont: string; contrast: string; motion: string };
}

/** What the style sheets go by; what is as the design has it is left out. */
export function attributesOf(
  { theme, looks }: Chosen,
  wantsContrast: boolean,
): Record<string, string> {
  const { textSize, density, codeFont, contrast, motion } = looks;
  const all = {
    theme,
    text: textSize ? String(textSize) : '',
    density,
    code: codeFont,
    contrast: contrast || (wantsContrast ? 'more' : ''),
    motion,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
}

/** Has the page look so, and where that is wanted begin so the next time: public/looks.js reads what is kept here. */
export function show(attributes: Record<string, string>, keep: boolean): void {
  const { dataset } = document.documentElement;
  for (const name of ['theme', 'text', 'density', 'code', 'contrast', 'motion']) {
    if (attributes[name] === undefined) delete dataset[name];
    else dataset[name] = attributes[name];
  }
  if (!keep) return;
  try {
    localStorage.setItem(kept, JSON.stringify(attributes));
  } catch {
    // It then begins with the design's.
  }
}
