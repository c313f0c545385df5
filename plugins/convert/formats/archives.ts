import type { Format } from './format.js'

const packed = (
  id: string,
  { title, mime, aliases, begins }: { title: string; mime: string; aliases: string[]; begins: string },
): Format => ({
  ...{ id, title: `tar archive, ${title}`, family: 'archive', mime, aliases, is: { begins: [begins] } },
})

/** The engine inspects the content before it converts anything. */
export const ARCHIVES: readonly Format[] = [
  { id: 'zip', title: 'ZIP archive', family: 'archive', mime: 'application/zip', is: { begins: ['PK\x03\x04'] } },
  {
    id: '7z',
    title: '7-Zip archive',
    family: 'archive',
    mime: 'application/x-7z-compressed',
    aliases: ['7zip'],
    is: { begins: ["7z\xbc\xaf'\x1c"] },
  },
  { id: 'tar', title: 'tar archive', family: 'archive', mime: 'application/x-tar', is: { begins: [{ at: 257, bytes: 'ustar' }] } },
  packed('tar.gz', { title: 'gzip', mime: 'application/gzip', aliases: ['tgz'], begins: '\x1f\x8b' }),
  packed('tar.bz2', { title: 'bzip2', mime: 'application/x-bzip2', aliases: ['tbz2', 'tbz', 'tb2'], begins: 'BZh' }),
  packed('tar.xz', { title: 'xz', mime: 'application/x-xz', aliases: ['txz'], begins: '\xfd7zXZ\0' }),
  packed('tar.zst', { title: 'Zstandard', mime: 'application/zstd', aliases: ['tzst'], begins: '\x28\xb5\x2f\xfd' }),
  packed('tar.lz4', { title: 'LZ4', mime: 'application/x-lz4', aliases: ['tlz4'], begins: '\x04\x22\x4d\x18' }),
  packed('tar.lzma', { title: 'LZMA', mime: 'application/x-lzma', aliases: ['tlz'], begins: ']\0\0' }),
  packed('tar.lz', { title: 'lzip', mime: 'application/x-lzip', aliases: [], begins: 'LZIP' }),
  packed('tar.z', { title: 'compress', mime: 'application/x-compress', aliases: [], begins: '\x1f\x9d' }),
  {
    id: 'cpio',
    title: 'cpio archive',
    family: 'archive',
    mime: 'application/x-cpio',
    is: { begins: ['070701', '070702', '070707', '\xc7\x71', '\x71\xc7'] },
  },
  {
    id: 'iso',
    title: 'ISO 9660 image',
    family: 'archive',
    mime: 'application/x-iso9660-image',
    aliases: ['iso9660'],
    is: { begins: [{ at: 32_769, bytes: 'CD001' }] },
  },
  { id: 'xar', title: 'xar archive', family: 'archive', mime: 'application/x-xar', is: { begins: ['xar!'] } },
  { id: 'ar', title: 'ar archive', family: 'archive', mime: 'application/x-archive', is: { begins: ['!<arch>\n'] } },
  { id: 'rar', title: 'RAR archive', family: 'archive', mime: 'application/vnd.rar', is: { begins: ['Rar!\x1a\x07'] } },
  { id: 'cab', title: 'Cabinet of Windows', family: 'archive', mime: 'application/vnd.ms-cab-compressed', is: { begins: ['MSCF'] } },
  {
    id: 'lha',
    title: 'LHA archive',
    family: 'archive',
    mime: 'application/x-lzh-compressed',
    aliases: ['lzh'],
    is: { begins: [{ at: 2, bytes: '-lh' }] },
  },
]
