/**
 * Returns the element with an id.
 * @throws if it is missing or of another type
 */
export function getElement<T extends Element>(id: string, kind: new () => T): T {
  const found = document.querySelector(`#${id}`);
  if (found instanceof kind) return found;
  throw new Error(`the page has no ${kind.name} #${id}`);
}
