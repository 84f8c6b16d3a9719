/** Makes a text area as tall as its text, within the bounds of its style. Returns the height of the text in pixels. */
export function fit(area: HTMLTextAreaElement): number {
  // What is around it keeps its height meanwhile: else a list that stands
  // beside it has more room for a moment, and is moved away from its end.
  const around = area.parentElement;
  if (around) around.style.minHeight = `${around.offsetHeight}px`;
  area.style.height = '0'; // from one line up, or it would never shrink
  const height = area.scrollHeight;
  area.style.height = `${height}px`;
  if (around) around.style.minHeight = '';
  return height;
}

/** Keeps a text area as tall as its text where the browser does not do it by `field-sizing` (WebKitGTK before 2.52). */
export function grow(area: HTMLTextAreaElement): { destroy(): void } | undefined {
  if (CSS.supports('field-sizing', 'content')) return undefined;
  const again = () => fit(area);
  area.addEventListener('input', again);
  queueMicrotask(again);
  return { destroy: () => area.removeEventListener('input', again) };
}
