// The service worker, which keeps the page's files and hears of pushes while the
// page is closed.

/** How often a page that stays open looks for a newer Beckon, in milliseconds. */
const lookMs = 60 * 60_000;

class Hired {
  #looked = Date.now();

  /** Registers it, and takes a newer page over once nobody looks at this one. */
  begin(): void {
    const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined;
    if (workers === undefined) return; // the address is not secure
    let first = workers.controller === null;
    let newer = false;
    workers.addEventListener('controllerchange', () => {
      if (first) first = false;
      else newer = true;
    });
    // A notification was pressed while the page is open.
    workers.addEventListener('message', (event: MessageEvent<{ go?: string }>) => {
      const hash = /^\/(#\/q\/.*)$/.exec(event.data.go ?? '')?.[1];
      if (hash !== undefined) location.hash = hash;
    });
    document.addEventListener('visibilitychange', () => {
      // What was chosen and typed is kept, so that nothing is lost by it.
      if (document.hidden && newer) location.reload();
      else if (!document.hidden) this.#look();
    });
    // Without it the page works as well, only not without a network.
    void workers.register('/sw.js', { updateViaCache: 'none' }).catch(() => {});
  }

  #look(): void {
    if (Date.now() - this.#looked < lookMs) return;
    this.#looked = Date.now();
    void navigator.serviceWorker.ready.then((one) => one.update()).catch(() => {});
  }
}

export const hired = new Hired();
