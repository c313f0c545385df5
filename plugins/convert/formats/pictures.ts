import type { Format } from './format.js'

/** Raster formats displayed by browsers. */
export const PICTURES: readonly Format[] = [
  { id: 'png', title: 'PNG picture', family: 'picture', mime: 'image/png', is: { begins: ['\x89PNG\r\n\x1a\n'], ends: 'IEND' } },
  {
    id: 'jpeg',
    title: 'JPEG picture',
    family: 'picture',
    mime: 'image/jpeg',
    aliases: ['jpg', 'jpe', 'jfif'],
    extension: 'jpg',
    is: { begins: ['\xff\xd8\xff'], ends: '\xff\xd9' },
  },
  { id: 'webp', title: 'WebP picture', family: 'picture', mime: 'image/webp', is: { begins: [{ at: 8, bytes: 'WEBP' }] } },
  { id: 'gif', title: 'GIF picture', family: 'picture', mime: 'image/gif', is: { begins: ['GIF87a', 'GIF89a'], ends: ';' } },
  {
    id: 'tiff',
    title: 'TIFF picture',
    family: 'picture',
    mime: 'image/tiff',
    aliases: ['tif'],
    is: { begins: ['II*\0', 'MM\0*', 'II+\0', 'MM\0+'] },
  },
  {
    id: 'avif',
    title: 'AVIF picture',
    family: 'picture',
    mime: 'image/avif',
    is: {
      begins: [
        { at: 4, bytes: 'ftypavif' },
        { at: 4, bytes: 'ftypavis' },
      ],
    },
  },
]
