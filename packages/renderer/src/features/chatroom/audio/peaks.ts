/** A recording's loudness over time, 0 to 1, and its length in seconds. */
export interface Peaks {
  bars: readonly number[];
  duration: number;
}

/** Bars of a drawn waveform. */
export const BAR_COUNT = 44;
/** Larger recordings are not decoded for their drawing: an hour of sound takes hundreds of megabytes. Bytes. */
const DECODE_MAX = 3 * 1024 * 1024;
/** The lowest rate that every browser decodes to; plenty for a drawing. Hertz. */
const RATE = 8_000;
const KEPT = 60;

const known = new Map<string, Promise<Peaks | undefined>>();

/** The waveform of a recording; undefined where it cannot be had. What was decoded is kept. */
export function peaksOf(url: string): Promise<Peaks | undefined> {
  const before = known.get(url);
  if (before) return before;
  const [oldest] = known.keys();
  if (known.size >= KEPT && oldest !== undefined) known.delete(oldest);
  const made = fetchPeaks(url).catch(() => {
    known.delete(url);
    return undefined;
  });
  known.set(url, made);
  return made;
}

async function fetchPeaks(url: string): Promise<Peaks | undefined> {
  const response = await fetch(url, { credentials: 'include' });
  if (!response.ok || Number(response.headers.get('content-length')) > DECODE_MAX) {
    await response.body?.cancel();
    return undefined;
  }
  return decode(await response.arrayBuffer());
}

/** The waveform of a recording that was just made; undefined where it cannot be had. */
export async function peaksOfBlob(blob: Blob): Promise<Peaks | undefined> {
  if (blob.size > DECODE_MAX) return undefined;
  return decode(await blob.arrayBuffer()).catch(() => undefined);
}

async function decode(bytes: ArrayBuffer): Promise<Peaks> {
  const context = new OfflineAudioContext(1, 1, RATE);
  const audio = await context.decodeAudioData(bytes);
  return { bars: barsOf(audio.getChannelData(0), BAR_COUNT), duration: audio.duration };
}

/** The loudest moment of each of `count` equal parts, against the loudest of all. */
export function barsOf(samples: Float32Array, count: number): number[] {
  const size = Math.max(1, Math.floor(samples.length / count));
  const bars: number[] = [];
  for (let bar = 0; bar < count; bar += 1) {
    let peak = 0;
    const end = Math.min(samples.length, (bar + 1) * size);
    for (let index = bar * size; index < end; index += 1) {
      peak = Math.max(peak, Math.abs(samples[index] ?? 0));
    }
    bars.push(peak);
  }
  const loudest = Math.max(...bars);
  return loudest === 0 ? bars : bars.map((bar) => bar / loudest);
}
