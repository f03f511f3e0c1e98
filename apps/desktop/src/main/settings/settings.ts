import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import { isWebOrigin } from '../servers/address.ts';

const Bounds = Type.Object({
  x: Type.Integer(),
  y: Type.Integer(),
  width: Type.Integer({ minimum: 1 }),
  height: Type.Integer({ minimum: 1 }),
  maximized: Type.Boolean(),
});

const Server = Type.Object({
  /** Scheme, host and port, without a trailing slash. */
  origin: Type.String(),
  /** Fingerprint of a certificate that the person decided to trust. */
  pinned: Type.Optional(Type.String()),
  /** Other origins that pictures and media come from, as its public configuration says. */
  mediaOrigins: Type.Array(Type.String(), { maxItems: 8 }),
  bounds: Type.Optional(Bounds),
});

const Preferences = Type.Object({
  notifications: Type.Boolean({ default: true }),
  notificationContent: Type.Boolean({ default: true }),
  microphone: Type.Boolean({ default: true }),
  closeToTray: Type.Boolean({ default: false }),
  startHidden: Type.Boolean({ default: false }),
  updates: Type.Boolean({ default: false }),
});

const Settings = Type.Object({
  servers: Type.Array(Server, { maxItems: 32, default: [] }),
  /** Origin of the server that was in front last. */
  active: Type.Optional(Type.String()),
  /** `undefined` follows the system until a page says what the person speaks. */
  language: Type.Optional(Type.Union([Type.Literal('en'), Type.Literal('de')])),
  spellCheck: Type.Boolean({ default: true }),
  preferences: Preferences,
  /** Where to look for new versions instead of where the publisher said. */
  updateFeed: Type.Optional(Type.String({ pattern: '^https://' })),
});

/** Where a window was. */
export type SavedBounds = Static<typeof Bounds>;
/** A server that the person has added. */
export type SavedServer = Static<typeof Server>;
/** What the app keeps between two starts. */
export type Settings = Static<typeof Settings>;

/** The settings of a first start. */
export function defaultSettings(): Settings {
  return Value.Create(Settings);
}

/** Settings from saved JSON; what an older version did not know gets its default. `undefined` if they do not fit. */
export function parseSettings(value: unknown): Settings | undefined {
  const filled: unknown = Value.Default(Settings, withPreferences(value));
  if (!Value.Check(Settings, filled) || !filled.servers.every(hasWebOrigins)) return undefined;
  return Value.Clean(Settings, filled) as Settings;
}

// The app starts with these before anybody could correct them, and the page's policy names them.
function hasWebOrigins({ origin, mediaOrigins }: SavedServer): boolean {
  return [origin, ...mediaOrigins].every(isWebOrigin);
}

function withPreferences(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return 'preferences' in value ? { ...value } : { ...value, preferences: {} };
}
