/**
 * Makes a text area as tall as its text, where the browser does not do it by
 * `field-sizing` (WebKitGTK before 2.52).
 */
export function grow(area: HTMLTextAreaElement): { destroy(): void } | undefined {
  if (CSS.supports('field-sizing', 'content')) return undefined;
  const fit = () => {
    area.style.height = 'auto';
    area.style.height = `${area.scrollHeight}px`;
  };
  area.addEventListener('input', fit);
  queueMicrotask(fit);
  return { destroy: () => area.removeEventListener('input', fit) };
}
