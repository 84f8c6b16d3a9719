// Whether all that a key would answer is on the screen: measured, past every
// box that cuts it and under nothing that lies over it, at whatever zoom.

/** Part is what a person must see of a question before a key may answer it. */
export type Part = 'question' | 'option' | 'command' | 'warning' | 'change' | 'plan';

/** As much may be cut by rounding, in pixels. */
const slackPx = 1.5;

interface Box {
  top: number;
  right: number;
  bottom: number;
  left: number;
}

/**
 * cutOf names the first part of a card that is not whole on the screen, in the
 * order in which they are drawn; "" where every part is. A part is marked with
 * data-part in the card's markup.
 */
export function cutOf(card: HTMLElement): Part | '' {
  for (const element of card.querySelectorAll<HTMLElement>('[data-part]')) {
    const part = element.dataset.part as Part;
    if (!(scrolled.has(part) ? isRead(element) : isWhole(element))) return part;
  }
  return '';
}

/** What may be longer than any screen: it is read from its beginning to its end. */
const scrolled = new Set<Part>(['change', 'plan']);
const begun = new WeakSet<Element>();

/** Whether the end of an element is in sight, after its beginning was. */
function isRead(element: HTMLElement): boolean {
  const { top, right, bottom, left } = element.getBoundingClientRect();
  if (bottom - top < 1 || element.querySelector('button.more')) return false;
  if (shows(element, { top, right, left, bottom: top + 1 })) begun.add(element);
  return begun.has(element) && shows(element, { top: bottom - 1, right, left, bottom });
}

/** isWhole reports whether all of an element can be seen. */
function isWhole(element: HTMLElement): boolean {
  const box = element.getBoundingClientRect();
  return box.width > 0 && box.height > 0 && !hidesContent(element) && shows(element, box);
}

/** Whether nothing around an element cuts a part of it, and no toast covers it. */
function shows(element: HTMLElement, part: Box): boolean {
  for (let around = element.parentElement; around; around = around.parentElement) {
    if (clips(around) && !holds(around.getBoundingClientRect(), part)) return false;
    if (around.tagName === 'DIALOG') return onScreen(part); // nothing around it cuts the top layer, and no toast is over it
  }
  return (
    onScreen(part) &&
    ![...document.querySelectorAll('.toast')].some((toast) =>
      meet(toast.getBoundingClientRect(), part),
    )
  );
}

function onScreen(part: Box): boolean {
  return holds({ top: 0, left: 0, right: innerWidth, bottom: innerHeight }, part);
}

function holds(outer: Box, inner: Box): boolean {
  return (
    inner.top >= outer.top - slackPx &&
    inner.left >= outer.left - slackPx &&
    inner.right <= outer.right + slackPx &&
    inner.bottom <= outer.bottom + slackPx
  );
}

function meet(a: Box, b: Box): boolean {
  return (
    a.left < b.right - slackPx &&
    b.left < a.right - slackPx &&
    a.top < b.bottom - slackPx &&
    b.top < a.bottom - slackPx
  );
}

function clips(element: Element): boolean {
  const { overflowX, overflowY, contain } = getComputedStyle(element);
  return overflowX !== 'visible' || overflowY !== 'visible' || /paint|content|strict/.test(contain);
}

/** Whether an element cuts its own text, with an ellipsis, a fold or a scrollbar. */
function hidesContent(element: HTMLElement): boolean {
  const inside = [element, ...element.querySelectorAll<HTMLElement>('*')];
  if (inside.some((one) => one instanceof HTMLDetailsElement && !one.open)) return true;
  return inside.some((one) => {
    if (
      one.classList.contains('sr') ||
      (one.scrollWidth <= one.clientWidth + slackPx &&
        one.scrollHeight <= one.clientHeight + slackPx)
    )
      return false;
    return clips(one) && one.clientWidth > 0;
  });
}
