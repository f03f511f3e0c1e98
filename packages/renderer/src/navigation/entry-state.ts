// What the state of a history entry says.

/** Returns the number of layers above the screen of an entry that the back gesture closes. */
export function depthOf(state: unknown): number {
  const depth = fieldOf(state, 'layers');
  return typeof depth === 'number' && depth > 0 ? depth : 0;
}

/** Returns the part of an entry's state that counts its layers, for another entry with the same ones. */
export function layersOf(state: unknown): { layers?: number } {
  const layers = depthOf(state);
  return layers > 0 ? { layers } : {};
}

/** Returns the content of the message whose image is open in an entry of its own. */
export function openImageOf(state: unknown): string | undefined {
  const image = fieldOf(state, 'image');
  return typeof image === 'string' ? image : undefined;
}

/**
 * Returns when the user opened the path of an entry by a link or notification, in milliseconds since 1970.
 * Undefined for other entries, and for those of a message.
 */
export function findUnreadWantedAt(state: unknown): number | undefined {
  const at = fieldOf(state, 'unreadWantedAt');
  return typeof at === 'number' ? at : undefined;
}

/** Returns an entry's state for another entry, with some fields changed. */
export function withState(state: unknown, changed: object): object {
  return { ...(isRecord(state) && state), ...changed };
}

function fieldOf(state: unknown, name: string): unknown {
  return isRecord(state) ? state[name] : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
