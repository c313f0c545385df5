/** bsdtar's handling of a kind of archive (https://www.libarchive.org/). */
export interface ArchiveFormat {
  /** How it names this kind: the start of `Archive Format` and the whole of `Compression`. */
  readonly names: readonly string[]
  readonly packed: string
  /** Arguments for writing; null for read-only kinds. */
  readonly write: readonly string[] | null
  /** Supports folders and links. */
  readonly tree: boolean
}

const TAR = ['POSIX pax', 'POSIX ustar', 'GNU tar', 'tar (non-POSIX)', 'Solaris']

const tar = (packed: string, ...filter: string[]): ArchiveFormat => ({
  names: TAR,
  packed,
  write: ['--format', 'pax', ...filter],
  tree: true,
})
const kind = (names: string | readonly string[], write: string | null, tree = true): ArchiveFormat => ({
  names: [names].flat(),
  packed: 'none',
  write: write === null ? null : ['--format', write],
  tree,
})

/** Not supported: self-extracting scripts, and lists of files to be read from disk (mtree). */
export const ARCHIVES: Readonly<Record<string, ArchiveFormat>> = {
  zip: kind('ZIP', 'zip'),
  '7z': kind('7-Zip', '7zip'),
  tar: tar('none'),
  'tar.gz': tar('gzip', '--gzip'),
  'tar.bz2': tar('bzip2', '--bzip2'),
  'tar.xz': tar('xz', '--xz'),
  'tar.zst': tar('zstd', '--zstd'),
  'tar.lz4': tar('lz4', '--lz4'),
  'tar.lzma': tar('lzma', '--lzma'),
  'tar.lz': tar('lzip', '--lzip'),
  'tar.z': tar('compress (.Z)', '--compress'),
  cpio: kind(['POSIX octet-oriented cpio', 'ASCII cpio', 'cpio'], 'newc'),
  iso: kind('ISO9660', 'iso9660'),
  xar: kind('xar', 'xar'),
  ar: kind('ar', 'ar', false),
  rar: kind('RAR', null),
  cab: kind('CAB', null),
  lha: kind('lha', null),
}
