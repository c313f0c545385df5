import { nullable, oneOf, or, port, scratchFile, Type, type Static } from '../../core/sdk/index.js'
import { LIMITS } from './limits.js'

const side = Type.Integer({ minimum: 1, maximum: LIMITS.side, description: 'Pixels.' })
const offset = Type.Integer({ minimum: -LIMITS.side, maximum: LIMITS.side, description: 'Pixels.' })
const colour = Type.String({ pattern: '^#(?:[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$', description: '#rrggbb, or #rrggbbaa.' })

/** To a size. With one side the other follows. Without `enlarge` a smaller picture stays as it is, except SVG, which has no size of its own. */
const resize = Type.Object({
  op: Type.Literal('resize'),
  width: Type.Optional(side),
  height: Type.Optional(side),
  /** How both sides are met, as in CSS object-fit; `inside` (default) and `outside` keep the ratio and everything of the picture. */
  fit: Type.Optional(oneOf('inside', 'outside', 'contain', 'cover', 'fill')),
  enlarge: Type.Optional(Type.Boolean()),
  /** What `cover` keeps: the middle (default), the part with most detail, or that which eyes go to. */
  keep: Type.Optional(oneOf('centre', 'entropy', 'attention')),
  /** Of the bars that `contain` adds, transparent by default. */
  background: Type.Optional(colour),
})

/** A part; the middle one without `left` and `top`. What is outside the picture is cut off. */
const crop = Type.Object({
  op: Type.Literal('crop'),
  width: side,
  height: side,
  left: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
  top: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
})
const rotate = Type.Object({ op: Type.Literal('rotate'), degrees: Type.Unsafe<90 | 180 | 270>({ type: 'integer', enum: [90, 180, 270] }) })
const mirror = Type.Object({ op: Type.Literal('mirror'), axis: oneOf('horizontal', 'vertical') })
/** Takes off borders of one colour; `threshold` is how far it may differ (0 to 255, default 10). */
const trim = Type.Object({ op: Type.Literal('trim'), threshold: Type.Optional(Type.Number({ minimum: 0, maximum: 255 })) })
/** Puts a colour behind what is transparent. */
const flatten = Type.Object({ op: Type.Literal('flatten'), background: colour })
const blur = Type.Object({ op: Type.Literal('blur'), sigma: Type.Number({ minimum: 0.3, maximum: 100, description: 'Pixels.' }) })
const grayscale = Type.Object({ op: Type.Literal('grayscale') })
/** Another picture over this one, in the middle without `left` and `top`; `mask` keeps what it covers, `under` puts it behind. */
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
 * A picture changed step by step, in the order given, and written in a format. Reads JPEG, PNG, WebP, GIF, TIFF, AVIF and SVG. Turned upright by
 * its EXIF orientation first; colours become sRGB. A file that is none of them or over a limit is an `invalid` Fault.
 */
export const pictureMake = port({
  id: 'picture.make',
  input: Type.Object({
    file: scratchFile,
    format: oneOf(...pictureFormats),
    steps: or(Type.Array(step, { maxItems: LIMITS.steps }), []),
    quality: or(nullable(Type.Integer({ minimum: 1, maximum: 100, description: 'Of jpeg, webp, avif and tiff; null for usual.' })), null),
    lossless: or(Type.Boolean({ description: 'webp and avif without loss.' }), false),
    progressive: or(Type.Boolean({ description: 'Progressive jpeg, interlaced png and gif.' }), false),
    keep_metadata: or(Type.Boolean({ description: 'EXIF (not in tiff), XMP, ICC profile; otherwise nothing of them is left.' }), false),
    page: or(Type.Integer({ minimum: 0, maximum: 9_999, description: 'Page of a TIFF file, or frame of a moving picture.' }), 0),
    animated: or(Type.Boolean({ description: 'All frames of a moving picture, to gif or webp.' }), false),
    upright: or(Type.Boolean({ description: 'Turn by the EXIF orientation.' }), true),
  }),
  output: Type.Object({
    file: scratchFile,
    content_type: Type.String(),
    width: Type.Integer(),
    height: Type.Integer(),
    frames: Type.Integer(),
    /** Pages or frames that the source has. */
    pages: Type.Integer(),
  }),
})

/** What a picture is, without writing another: its form, its size and its colours. Faults as those of `picture.make`. */
export const pictureLook = port({
  id: 'picture.look',
  input: Type.Object({
    file: scratchFile,
    page: or(Type.Integer({ minimum: 0, maximum: 9_999 }), 0),
    colours: or(Type.Integer({ minimum: 1, maximum: 16, description: 'Most dominant colours.' }), 5),
    ignore_white: or(Type.Boolean({ description: 'Leave white and nearly white out of the dominant colours.' }), false),
  }),
  output: Type.Object({
    format: oneOf('jpeg', 'png', 'webp', 'gif', 'tiff', 'avif', 'svg'),
    content_type: Type.String(),
    /** Pixels as shown, upright. */
    width: Type.Integer(),
    height: Type.Integer(),
    /** EXIF, 1 to 8; null when the file has none. */
    orientation: nullable(Type.Integer()),
    /** Pages or frames. */
    frames: Type.Integer(),
    has_alpha: Type.Boolean(),
    /** Share of pixels that are transparent, 0 to 1. */
    transparent: Type.Number(),
    /** The most frequent first; `share` is that of the pixels counted. None when all is transparent or left out. */
    colours: Type.Array(Type.Object({ hex: Type.String(), share: Type.Number() })),
    /** Mean colour of what is not transparent; null when all is. */
    mean: nullable(Type.String()),
    /** The colour along the edges when it is the same nearly everywhere; null otherwise. */
    background: nullable(Type.String()),
    /** Shannon entropy of the brightness, bits: 0 for one tone, up to 8. */
    entropy: Type.Number(),
  }),
})

/** All pages of a TIFF file, or frames of a picture that moves, as pages of a PDF in their sizes, upright. Faults as those of `picture.make`. */
export const picturePrint = port({
  id: 'picture.print',
  input: Type.Object({ file: scratchFile }),
  output: Type.Object({ file: scratchFile, pages: Type.Integer() }),
})

export type MakeInput = Static<typeof pictureMake.input>
export type Step = MakeInput['steps'][number]
export type LookInput = Static<typeof pictureLook.input>
export type Look = Static<typeof pictureLook.output>
