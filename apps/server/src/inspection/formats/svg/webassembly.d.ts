/** The parts of WebAssembly that are used. The types of Node.js do not contain them. */
declare namespace WebAssembly {
  interface Module {
    readonly [Symbol.toStringTag]: 'WebAssembly.Module';
  }
  interface Memory {
    readonly buffer: ArrayBuffer;
    /** Grows by a number of pages. Returns the number before. */
    grow(pages: number): number;
  }
  interface Instance {
    readonly exports: Record<string, unknown>;
  }
  class RuntimeError extends Error {}
  function compile(bytes: Uint8Array): Promise<Module>;
  function instantiate(bytes: Uint8Array): Promise<{ instance: Instance; module: Module }>;
}
