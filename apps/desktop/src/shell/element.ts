/**
 * The element of an id.
 * @throws if the page has none, or one of another kind
 */
export function element<T extends Element>(id: string, kind: new () => T): T {
  const found = document.querySelector(`#${id}`);
  if (found instanceof kind) return found;
  throw new Error(`the page has no ${kind.name} #${id}`);
}
