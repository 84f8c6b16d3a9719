// Whether what is pressed can be hit: WCAG 2.5.8, target size (minimum).
import { expect, type Page } from '@playwright/test';

/** Fails for each target below 24 by 24 CSS pixels that has not the room around it that makes up for it. */
export async function hittable(page: Page, screen: string): Promise<void> {
  expect.soft(await page.evaluate(missed), screen).toEqual([]);
}

/** The targets in view that are too small and too near to others. Runs in the page. */
function missed(): string[] {
  const least = 24;
  const kinds =
    'a[href], button, input, select, textarea, summary, [role=button], [role=link], [role=menuitem], [role=option], [role=tab], [role=radio], [role=checkbox], [role=switch], [role=slider], [role=separator][tabindex]';
  const open = document.querySelector('dialog[open]') ?? document;

  interface Target {
    element: Element;
    box: DOMRect;
  }

  /** What is pressed for an element: a field's label belongs to it. */
  function targetOf(element: Element): Target {
    const label = element instanceof HTMLInputElement ? element.closest('label') : null;
    return { element, box: (label ?? element).getBoundingClientRect() };
  }

  function shown({ element, box }: Target): boolean {
    if (
      box.width === 0 ||
      box.height === 0 ||
      element.closest('[inert], [aria-hidden=true], :disabled')
    )
      return false;
    const style = getComputedStyle(element);
    if (style.visibility === 'hidden' || style.pointerEvents === 'none') return false;
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const on = document.elementFromPoint(x, y);
    return (
      on !== null &&
      (element.contains(on) || (on.contains(element) && on.closest('label') !== null))
    );
  }

  /** A link in a sentence is as high as its line. */
  function inSentence({ element }: Target): boolean {
    return (
      getComputedStyle(element).display === 'inline' &&
      [...element.parentNode!.childNodes].some(
        (node) =>
          node !== element && node.nodeType === Node.TEXT_NODE && node.textContent!.trim() !== '',
      )
    );
  }

  const small = ({ box }: Target) => box.width < least - 0.5 || box.height < least - 0.5;
  const middle = ({ box }: Target) => ({ x: box.x + box.width / 2, y: box.y + box.height / 2 });
  function touches(a: Target, b: Target): boolean {
    const from = middle(a);
    const [x, y] = [
      Math.max(b.box.left, Math.min(from.x, b.box.right)),
      Math.max(b.box.top, Math.min(from.y, b.box.bottom)),
    ];
    if (Math.hypot(from.x - x, from.y - y) < least / 2 - 0.5) return true;
    const to = middle(b);
    return small(b) && Math.hypot(from.x - to.x, from.y - to.y) < least - 0.5;
  }
  function name({ element, box }: Target): string {
    const said = element.getAttribute('aria-label') ?? element.textContent!.trim();
    return `${element.tagName.toLowerCase()}.${element.className
      .toString()
      .split(' ')
      .filter((word) => !word.startsWith('svelte-') && !word.startsWith('s-'))
      .join('.')} "${said.slice(0, 30)}" ${box.width.toFixed(0)}x${box.height.toFixed(0)}`;
  }

  const all = [...open.querySelectorAll(kinds)].map(targetOf).filter(shown);
  return all.flatMap((target) => {
    if (!small(target) || inSentence(target)) return [];
    // What holds it, or is held by it, is pressed with it.
    const near = all.find(
      (other) =>
        other !== target &&
        !other.element.contains(target.element) &&
        !target.element.contains(other.element) &&
        touches(target, other),
    );
    return near === undefined ? [] : [`${name(target)} beside ${name(near)}`];
  });
}
