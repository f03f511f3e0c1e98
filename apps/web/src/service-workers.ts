/** Returns the page's service workers, or undefined without HTTPS or where the browser forbids them. */
export function serviceWorkers(): ServiceWorkerContainer | undefined {
  const browser: Partial<Pick<Navigator, 'serviceWorker'>> = navigator;
  return browser.serviceWorker;
}
