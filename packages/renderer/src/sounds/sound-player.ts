import type { Volume } from '@parley/contract';
import receiveUrl from '../assets/receive.wav';
import sendUrl from '../assets/send.wav';
import { logFailure } from '../logging/log-failure.ts';
import { hasUserActivation } from './user-activation.ts';

/** Parley's sounds. */
export type Sound = 'send' | 'receive';

/** A player of sounds. It is silent until the user has interacted with the page. */
export interface SoundPlayer {
  play: (sound: Sound) => void;
  stop: () => void;
}

const URLS: Record<Sound, string> = { send: sendUrl, receive: receiveUrl };
const LEVELS: Record<Volume, number> = { silent: 0, middle: 0.5, full: 1 };

/** Returns the level of a volume, from 0 to 1. */
function levelOf(volume: Volume): number {
  return LEVELS[volume];
}

/** Creates a sound player. It reads the volume each time and is silent before the first gesture. */
export function createSoundPlayer(getVolume: () => Volume): SoundPlayer {
  const elements = new Map<Sound, HTMLAudioElement>();

  function elementOf(sound: Sound): HTMLAudioElement {
    const existing = elements.get(sound);
    if (existing) return existing;
    const element = new Audio(URLS[sound]);
    elements.set(sound, element);
    return element;
  }

  return {
    play: (sound) => {
      const level = levelOf(getVolume());
      if (!hasUserActivation() || level === 0) return;
      const element = elementOf(sound);
      element.volume = level;
      element.currentTime = 0;
      // The browser may still block the sound. The chat works without it.
      element.play().catch((error: unknown) => logFailure(`playing the ${sound} sound`, error));
    },
    stop: () => {
      for (const element of elements.values()) element.pause();
    },
  };
}
