/** What is dearer to show than this, in milliseconds, leaves the page as long again for itself. */
const dear = 16;
/** For how long at the most. */
const longest = 200;

/**
 * Returns what takes the numbers of frames as they come, and calls `tell` with the latest once
 * all that came is drawn: once a frame of the display, and never while the page is hidden.
 */
export function afterDrawn(tell: (seq: number) => void): (seq: number) => void {
  let latest = 0;
  let asked = false;
  const done = () => {
    asked = false;
    tell(latest);
  };
  return (seq) => {
    latest = seq;
    if (asked) return;
    asked = true;
    requestAnimationFrame((began) => {
      // What is asked for now comes after the page is drawn.
      setTimeout(() => {
        const took = performance.now() - began;
        if (took > dear) setTimeout(done, Math.min(took, longest));
        else done();
      });
    });
  };
}
