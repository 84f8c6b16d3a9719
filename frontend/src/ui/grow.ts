/** Makes a text area as tall as its text, up to `most` pixels, beyond which it scrolls. */
export function fit(area: HTMLTextAreaElement, most = Infinity): void {
  // What is around it keeps its height meanwhile: else a list that stands
  // beside it has more room for a moment, and is moved away from its end.
  const around = area.parentElement;
  if (around) around.style.minHeight = `${around.offsetHeight}px`;
  area.style.height = '0'; // from one line up, or it would never shrink
  const height = area.scrollHeight;
  area.style.height = `${Math.min(height, most)}px`;
  area.style.overflowY = height > most ? 'auto' : 'hidden';
  if (around) around.style.minHeight = '';
}

/** Keeps a text area as tall as its text where the browser does not do it by `field-sizing` (WebKitGTK before 2.52). */
export function grow(area: HTMLTextAreaElement): { destroy(): void } | undefined {
  if (CSS.supports('field-sizing', 'content')) return undefined;
  const again = () => fit(area);
  area.addEventListener('input', again);
  queueMicrotask(again);
  return { destroy: () => area.removeEventListener('input', again) };
}
