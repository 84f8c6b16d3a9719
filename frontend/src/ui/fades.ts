/** A row that is cut by less is still read, in pixels. */
const leastCut = 16;

/** Marks a list that scrolls while there is more of it below, so that a row which is cut fades instead. */
export function fades(list: HTMLElement): () => void {
  const look = () =>
    list.toggleAttribute(
      'data-more',
      list.scrollHeight - list.scrollTop - list.clientHeight > leastCut,
    );
  const sizes = new ResizeObserver(look);
  sizes.observe(list);
  const rows = new MutationObserver(look);
  rows.observe(list, { childList: true });
  list.addEventListener('scroll', look, { passive: true });
  return () => {
    sizes.disconnect();
    rows.disconnect();
    list.removeEventListener('scroll', look);
  };
}
