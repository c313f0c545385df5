import { setTimeout as pause } from 'node:timers/promises'
import sharp from 'sharp'
import { httpServer } from '../../../core/sdk/testkit/servers.js'
import { furnish } from '../../gateway/furnish.js'
import { post, startGateway } from '../../gateway/start.js'
import { iou, type Scene } from './scenes.js'

/** A gateway in which one vendor alone cuts out. */
export interface CutoutWorld {
  /** Process of the gateway. */
  readonly pid: number
  /** The intersection over union of a picture's cutout with the truth; 0 where the vendor finds no subject. Repeats the call where the machine is too busy. */
  cut(scene: Scene): Promise<number>
}

/** Times that a call of a busy gateway is repeated. */
const BUSY_TRIES = 60

/** Starts a gateway in which one vendor alone cuts out, and ends it after the work. */
export async function withCutouts(vendor: string, work: (world: CutoutWorld) => Promise<void>): Promise<void> {
  let bytes: Buffer = Buffer.alloc(0)
  const site = await httpServer((_request, response) => void response.end(bytes))
  try {
    const gateway = await startGateway({ upstream: 'http://127.0.0.1:9', env: { CAPSTAN_WATERFALL_IMAGES_REMOVE_BACKGROUND: vendor } })
    try {
      const [key = ''] = await furnish(gateway, 1)
      const cut: CutoutWorld['cut'] = async (scene) => {
        bytes = scene.bytes
        const image = await cutout({ url: gateway.url, key, picture: `${site.url}/picture` }, scene.name)
        return image === null ? 0 : iou(await sharp(image).extractChannel('alpha').raw().toBuffer(), scene.truth)
      }
      await work({ pid: gateway.pid, cut })
    } finally {
      await gateway.stop()
    }
  } finally {
    await site.close()
  }
}

interface Source {
  readonly url: string
  readonly key: string
  readonly picture: string
}

/** The cutout of a picture; null where the vendor finds no subject. */
async function cutout({ url, key, picture }: Source, name: string): Promise<Buffer | null> {
  for (let tries = 0; tries < BUSY_TRIES; tries++) {
    const { status, json } = await post(`${url}/v1/images/remove-background`, key, { image_url: picture })
    const { data, error } = json as {
      readonly data: { readonly image_base64: string } | null
      readonly error: { readonly type: string; readonly detail: string } | null
    }
    if (data !== null) return Buffer.from(data.image_base64, 'base64')
    // A mask that does not decide is a figure; a machine that is too busy is none.
    if (error?.type.endsWith('/no-result') === true && !/more (?:time|memory)/.test(error.detail)) return null
    // 502 with these words is an engine that had no processor in its time.
    if (status !== 503 && error?.detail !== 'The provider took too long.')
      throw new Error(`${name}: ${String(status)} ${error?.detail ?? ''}`)
    await pause(1_000)
  }
  throw new Error(`${name}: the machine is too busy`)
}
