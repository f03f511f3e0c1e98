/** Measures how loud a microphone is. */
export interface LoudnessMeter {
  /** Returns the current loudness, 0 to 1; undefined if it cannot be measured. */
  level: () => number | undefined;
  close: () => void;
}

/**
 * Opens a meter for a microphone. Recording does not need it: Firefox refuses to measure a microphone whose sample rate
 * differs from that of the speakers, and browsers limit the number of audio contexts.
 */
export function openLoudnessMeter(stream: MediaStream): LoudnessMeter {
  let context: AudioContext | undefined;
  const close = (): void => {
    context?.close().catch(() => undefined);
    context = undefined;
  };
  try {
    context = new AudioContext();
    const analyser = context.createAnalyser();
    analyser.fftSize = 512;
    context.createMediaStreamSource(stream).connect(analyser);
    const samples = new Float32Array(analyser.fftSize);
    const level = (): number | undefined => {
      // Without speakers, the context of Firefox never runs, and all samples are 0.
      if (context?.state !== 'running') return undefined;
      analyser.getFloatTimeDomainData(samples);
      const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
      // Speech rarely reaches full scale, so the square root expands the lower range.
      return Math.min(1, Math.sqrt(Math.sqrt(power)) * 1.6);
    };
    return { level, close };
  } catch {
    close();
    return { level: () => undefined, close };
  }
}
