import { LanguageSchema } from '@parley/contract/schemas';
import { isLanguage } from '@parley/texts';
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
  /** Fingerprint of the certificate that the user decided to trust. */
  pinned: Type.Optional(Type.String()),
  /** Other origins of images and media, from the server's public configuration. */
  mediaOrigins: Type.Array(Type.String(), { maxItems: 8 }),
  bounds: Type.Optional(Bounds),
});

/** The preferences that a page can change, except those that the system stores. */
export const Preferences = Type.Object({
  notifications: Type.Boolean({ default: true }),
  notificationContent: Type.Boolean({ default: true }),
  microphone: Type.Boolean({ default: true }),
  closeToTray: Type.Boolean({ default: false }),
  startHidden: Type.Boolean({ default: false }),
  updates: Type.Boolean({ default: false }),
});

const Settings = Type.Object({
  servers: Type.Array(Server, { maxItems: 32, default: [] }),
  /** Origin of the server whose window was last in front. */
  active: Type.Optional(Type.String()),
  /** Language of the app. `undefined` follows the system until a page reports the user's language. */
  language: Type.Optional(LanguageSchema),
  spellCheck: Type.Boolean({ default: true }),
  preferences: Preferences,
  /** URL of an update feed that replaces the publisher's. */
  updateFeed: Type.Optional(Type.String({ pattern: '^https://' })),
});

/** The saved bounds of a window. */
export type SavedBounds = Static<typeof Bounds>;
/** A server that the user has added. */
export type SavedServer = Static<typeof Server>;
/** Everything that the app keeps across restarts. */
export type Settings = Static<typeof Settings>;

/** Returns the settings of a first start. */
export function createDefaultSettings(): Settings {
  return Value.Create(Settings);
}

/** Parses saved settings. Missing ones get their defaults. Returns `undefined` if a value is invalid. */
export function parseSettings(value: unknown): Settings | undefined {
  const filled: unknown = Value.Default(Settings, withoutUnknownLanguage(withPreferences(value)));
  if (!Value.Check(Settings, filled) || !filled.servers.every(hasWebOrigins)) return undefined;
  return Value.Clean(Settings, filled) as Settings;
}

// These origins become part of Chromium's switches and of the page's content security policy.
function hasWebOrigins({ origin, mediaOrigins }: SavedServer): boolean {
  return [origin, ...mediaOrigins].every(isWebOrigin);
}

// Ignores a language that a newer version of the app has saved, and keeps the other settings.
function withoutUnknownLanguage(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('language' in value)) return value;
  const { language, ...others } = value;
  return isLanguage(language) ? value : others;
}

function withPreferences(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return 'preferences' in value ? { ...value } : { ...value, preferences: {} };
}
