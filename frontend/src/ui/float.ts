// What floats over the page beside the thing that it belongs to. It is moved
// out of whatever would cut it off: scrolled boxes, and panes that are
// containers, which even `position: fixed` does not leave.

const gap = 4;
const margin = 8;

/** Where it floats: above or below its anchor, and along which of its edges. */
export interface Floating {
  anchor: HTMLElement | undefined;
  /** Along the anchor's start, its end, or as wide as it is. */
  along?: 'start' | 'end' | 'whole';
  /** Where it is wanted; above, unless said otherwise. */
  side?: 'above' | 'below';
  /** What it does not cover either, where it is below. */
  clear?: Element | null | undefined;
}

/** float shows an element on the wanted side of its anchor, or on the other where only that has room. */
export function float(element: HTMLElement, floating: Floating) {
  const { anchor, along = 'start', side = 'above', clear } = floating;
  if (!anchor) return;
  const home = anchor.closest('dialog, main') ?? document.body;
  home.append(element);

  function place() {
    const box = anchor!.getBoundingClientRect();
    const above = box.top - gap - margin;
    const bottom = Math.max(box.bottom, clear?.getBoundingClientRect().bottom ?? 0);
    const below = innerHeight - bottom - gap - margin;
    const { style } = element;
    style.position = 'fixed';
    style.zIndex = '40';
    style.maxWidth = `${innerWidth - 2 * margin}px`;
    if (along === 'whole') style.width = `${box.width}px`;
    const [wanted, other] = side === 'above' ? [above, below] : [below, above];
    const fits = wanted >= Math.min(element.scrollHeight, other) || wanted >= other;
    const up = fits === (side === 'above');
    style.maxHeight = `${up ? above : below}px`;
    style.top = up ? 'auto' : `${bottom + gap}px`;
    style.bottom = up ? `${innerHeight - box.top + gap}px` : 'auto';
    const wish = along === 'end' ? box.right - element.offsetWidth : box.left;
    style.left = `${Math.max(margin, Math.min(wish, innerWidth - margin - element.offsetWidth))}px`;
  }

  place();
  const watch = new ResizeObserver(place);
  watch.observe(element);
  watch.observe(anchor);
  addEventListener('resize', place);
  addEventListener('scroll', place, true);
  return {
    destroy() {
      watch.disconnect();
      removeEventListener('resize', place);
      removeEventListener('scroll', place, true);
      element.remove();
    },
  };
}
