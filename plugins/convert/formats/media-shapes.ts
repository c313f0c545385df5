import type { Shape } from './shape.js'

/** Containers shared by several formats. The first atom of a QuickTime file is one of these (QTFF, ISO 14496-12). */
export const MP4: Shape = {
  begins: [
    { at: 4, bytes: 'ftyp' },
    { at: 4, bytes: 'moov' },
    { at: 4, bytes: 'mdat' },
    { at: 4, bytes: 'wide' },
    { at: 4, bytes: 'free' },
  ],
}
export const EBML: Shape = { begins: ['\x1aE\xdf\xa3'] }
export const OGG: Shape = { begins: ['OggS'] }
export const ASF: Shape = { begins: ['\x30\x26\xb2\x75\x8e\x66\xcf\x11'] }
