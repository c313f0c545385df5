import { engine } from '../_shared/engine.js'
import { packFile } from '../_shared/engine-pack.js'
import { cutout } from '../_vendors/cutout.js'

/** Side in pixels of the model's input and its mask. */
export const MASK_SIDE = 320

/** U2-Net p: takes a picture of 320 x 320 pixels, 8-bit RGB, and returns its mask, one byte per pixel. */
export const u2net = engine({
  id: 'cutouts.u2net',
  manifest: packFile(import.meta.url, 'cutout'),
  module: new URL('./engine/u2net.js', import.meta.url),
  settings: cutout.settings,
  args: ({ packs: [pack], settings }) => [pack.folder, settings.model ?? pack.path('u2netp.onnx'), String(MASK_SIDE)],
  readOnly: ({ settings }) => (settings.model === null ? [] : [settings.model]),
  memoryMb: 1024,
  recycleMb: 640,
})
