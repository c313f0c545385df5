import { nullable, oneOf, or, port, scratchFile, Type, type Static } from '../../core/sdk/index.js'
import { LIMITS } from './limits.js'

const side = Type.Integer({ minimum: 1, maximum: LIMITS.side, description: 'Pixels.' })
const offset = Type.Integer({ minimum: -LIMITS.side, maximum: LIMITS.side, description: 'Pixels.' })
const colour = Type.String({ pattern: '^#(?:[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$', description: '#rrggbb, or #rrggbbaa.' })

/**
 * Resizes. Given one side, the other keeps the ratio. Without `enlarge`, a smaller image is unchanged, except SVG,
 * which has no fixed size.
 */
const resize = Type.Object({
  op: Type.Literal('resize'),
  width: Type.Optional(side),
  height: Type.Optional(side),
  /** How both sides are met, as in CSS object-fit; `inside` (default) and `outside` keep the ratio without cropping. */
  fit: Type.Optional(oneOf('inside', 'outside', 'contain', 'cover', 'fill')),
  enlarge: Type.Optional(Type.Boolean()),
  /** What `cover` keeps: the centre (default), the part with most detail, or the most salient part. */
  keep: Type.Optional(oneOf('centre', 'entropy', 'attention')),
  /** Colour of the bars that `contain` adds, transparent by default. */
  background: Type.Optional(colour),
})

/** Crops, at the centre without `left` and `top`. Anything outside the image is cut off. */
const crop = Type.Object({
  op: Type.Literal('crop'),
  width: side,
  height: side,
  left: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
  top: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
})
const rotate = Type.Object({ op: Type.Literal('rotate'), degrees: Type.Unsafe<90 | 180 | 270>({ type: 'integer', enum: [90, 180, 270] }) })
const mirror = Type.Object({ op: Type.Literal('mirror'), axis: oneOf('horizontal', 'vertical') })
/** Removes borders of one colour; `threshold` is the tolerance (0 to 255, default 10). */
const trim = Type.Object({ op: Type.Literal('trim'), threshold: Type.Optional(Type.Number({ minimum: 0, maximum: 255 })) })
/** Fills transparent areas with a colour. */
const flatten = Type.Object({ op: Type.Literal('flatten'), background: colour })
const blur = Type.Object({ op: Type.Literal('blur'), sigma: Type.Number({ minimum: 0.3, maximum: 100, description: 'Pixels.' }) })
const grayscale = Type.Object({ op: Type.Literal('grayscale') })
/**
 * Draws another image over this one, centred without `left` and `top`; `mask` keeps the part that it covers, `under`
 * draws it behind.
 */
const composite = Type.Object({
  op: Type.Literal('composite'),
  file: scratchFile,
  left: Type.Optional(offset),
  top: Type.Optional(offset),
  opacity: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
  blend: Type.Optional(oneOf('over', 'under', 'mask')),
})

const step = Type.Union([resize, crop, rotate, mirror, trim, flatten, blur, grayscale, composite])

export const pictureFormats = ['png', 'jpeg', 'webp', 'avif', 'gif', 'tiff'] as const

/**
 * Applies steps to an image in the order given and writes it in a format. Reads JPEG, PNG, WebP, GIF, TIFF, AVIF and
 * SVG. The image is first rotated by its EXIF orientation and converted to sRGB. A file of another format or over a
 * limit is an `invalid` Fault.
 */
export const pictureMake = port({
  id: 'picture.make',
  input: Type.Object({
    file: scratchFile,
    format: oneOf(...pictureFormats),
    steps: or(Type.Array(step, { maxItems: LIMITS.steps }), []),
    quality: or(
      nullable(Type.Integer({ minimum: 1, maximum: 100, description: 'Quality of jpeg, webp, avif and tiff; null for the default.' })),
      null,
    ),
    lossless: or(Type.Boolean({ description: 'Lossless webp and avif.' }), false),
    progressive: or(Type.Boolean({ description: 'Progressive jpeg, interlaced png and gif.' }), false),
    keep_metadata: or(Type.Boolean({ description: 'Keep EXIF (not in tiff), XMP and ICC profile; otherwise all are removed.' }), false),
    page: or(Type.Integer({ minimum: 0, maximum: 9_999, description: 'Page of a TIFF file, or frame of an animation.' }), 0),
    animated: or(Type.Boolean({ description: 'Keep all frames of an animation, to gif or webp.' }), false),
    upright: or(Type.Boolean({ description: 'Rotate by the EXIF orientation.' }), true),
  }),
  output: Type.Object({
    file: scratchFile,
    content_type: Type.String(),
    width: Type.Integer(),
    height: Type.Integer(),
    frames: Type.Integer(),
    /** Pages or frames of the source. */
    pages: Type.Integer(),
  }),
})

/** Format, size and colours of an image. Faults as for `picture.make`. */
export const pictureLook = port({
  id: 'picture.look',
  input: Type.Object({
    file: scratchFile,
    page: or(Type.Integer({ minimum: 0, maximum: 9_999 }), 0),
    colours: or(Type.Integer({ minimum: 1, maximum: 16, description: 'Maximum number of dominant colours.' }), 5),
    ignore_white: or(Type.Boolean({ description: 'Exclude white and nearly white from the dominant colours.' }), false),
  }),
  output: Type.Object({
    format: oneOf('jpeg', 'png', 'webp', 'gif', 'tiff', 'avif', 'svg'),
    content_type: Type.String(),
    /** Pixels as displayed, upright. */
    width: Type.Integer(),
    height: Type.Integer(),
    /** EXIF, 1 to 8; null when the file has none. */
    orientation: nullable(Type.Integer()),
    /** Pages or frames. */
    frames: Type.Integer(),
    has_alpha: Type.Boolean(),
    /** Share of transparent pixels, 0 to 1. */
    transparent: Type.Number(),
    /** Most frequent first; `share` refers to the pixels counted. Empty when all are transparent or excluded. */
    colours: Type.Array(Type.Object({ hex: Type.String(), share: Type.Number() })),
    /** Mean colour of the pixels that are not transparent; null when all are. */
    mean: nullable(Type.String()),
    /** Colour along the edges if it is nearly uniform; null otherwise. */
    background: nullable(Type.String()),
    /** Shannon entropy of the brightness in bits: 0 for one tone, up to 8. */
    entropy: Type.Number(),
  }),
})

/**
 * Writes all pages of a TIFF file, or all frames of an animation, upright as pages of a PDF in their sizes. Faults as
 * for `picture.make`.
 */
export const picturePrint = port({
  id: 'picture.print',
  input: Type.Object({ file: scratchFile }),
  output: Type.Object({ file: scratchFile, pages: Type.Integer() }),
})

/**
 * Which pages of a PDF, or whether an image, show only one colour. Faults as for `picture.make`; `invalid` for an
 * unreadable PDF.
 */
export const pictureBlank = port({
  id: 'picture.blank',
  input: Type.Object({
    file: scratchFile,
    format: oneOf('pdf', 'picture'),
    text: or(Type.Boolean({ description: 'Also return the text of a PDF.' }), false),
  }),
  output: Type.Object({
    /** Number of pages checked, from the first. */
    pages: Type.Integer(),
    /** Numbers of blank pages, from 1. */
    blank: Type.Array(Type.Integer()),
    /** Text of the PDF in UTF-8; null if not requested. */
    text: nullable(scratchFile),
  }),
})

export type MakeInput = Static<typeof pictureMake.input>
export type Step = MakeInput['steps'][number]
export type LookInput = Static<typeof pictureLook.input>
export type Look = Static<typeof pictureLook.output>
