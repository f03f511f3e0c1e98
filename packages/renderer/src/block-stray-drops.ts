/** Refuses files that are let go where nothing takes them: the browser would open them in place of the application. */
export function blockStrayDrops(target: Document): void {
  for (const name of ['dragover', 'drop'] as const) {
    target.addEventListener(name, (event) => {
      const { dataTransfer } = event;
      if (event.defaultPrevented || !dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      dataTransfer.dropEffect = 'none';
    });
  }
}
