import { PICTURES } from '../../../../plugins/convert/engines/imagemagick/formats.js'
import { drawn } from '../checks.js'
import { COLOUR, gradient, READ_ONLY, SIZE } from '../pictures.js'
import type { Trip } from './types.js'

/** Mean colours of the gradient on white. */
const MEANS = [128, 124, 123]
const GREY: readonly string[] = ['pgm', 'fits', 'pgx', 'vicar']
const BLACK_AND_WHITE: readonly string[] = ['pbm', 'xbm', 'art', 'cals', 'jbig', 'otb', 'rgf', 'wbmp']
/** Sizes that are the format's own. */
const SIZES: Readonly<Record<string, { width: number; height: number }>> = { hrz: { width: 256, height: 240 } }
const ALONE: Readonly<Record<string, Parameters<typeof drawn>[0]>> = {
  scr: { width: 256, height: 192 },
  tim: { width: 32, height: 16, colour: [255, 0, 0] },
  mac: { width: 576, height: 720 },
  cut: { width: 32, height: 16 },
}

/** Each format is made of a PNG picture, or has a sample of its own, and is made into PNG again. */
export async function pictures(): Promise<Trip[]> {
  const png = await gradient()
  return Object.entries(PICTURES).map(([id, { writes }]) => {
    const engine = 'imagemagick'
    const own = READ_ONLY[id]
    if (own !== undefined)
      return { engine, data: own, steps: [{ from: id, to: 'png', check: drawn(ALONE[id] ?? { width: 32, height: 16, colour: COLOUR }) }] }
    if (writes === false) throw new Error(`there is no sample of ${id}`)
    const grey = GREY.includes(id) || BLACK_AND_WHITE.includes(id)
    const check = drawn({ ...(SIZES[id] ?? SIZE), ...(grey || id === 'hrz' ? {} : { colour: MEANS }) })
    if (id === 'png')
      return {
        engine,
        data: png,
        steps: [
          { from: 'png', to: 'bmp' },
          { from: 'bmp', to: 'png', check },
        ],
      }
    return {
      engine,
      data: png,
      steps: [
        { from: 'png', to: id },
        { from: id, to: 'png', check },
      ],
    }
  })
}
