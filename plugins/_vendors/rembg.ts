import { Fault, or, Type, vendor } from '../../core/sdk/index.js'
import { listAt, valueAt } from '../_shared/value-at.js'

/** The operator's rembg server (`rembg s`), which has no keys. A 422 for an unknown model is no fault of the picture. */
export const rembg = vendor({
  id: 'rembg',
  title: 'rembg (own server)',
  home: 'https://github.com/danielgatis/rembg',
  needsUrl: true,
  settings: Type.Object({
    model: or(
      Type.String({ minLength: 1, description: 'Model of the server, such as u2net, isnet-general-use or birefnet-general.' }),
      'u2net',
    ),
  }),
  fault: ({ status, body }) =>
    status === 422 && listAt(body, 'detail').some((each) => valueAt(each, 'loc', '1') === 'model')
      ? new Fault('broken', 'The rembg server has no such model: check the setting model of the vendor.')
      : undefined,
})
