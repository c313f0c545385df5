import { or, Type, vendor } from '../../core/sdk/index.js'

/** A rembg server of the operator's own (`rembg s`), which has no keys. */
export const rembg = vendor({
  id: 'rembg',
  title: 'rembg (own server)',
  home: 'https://github.com/danielgatis/rembg',
  needsUrl: true,
  settings: Type.Object({
    model: or(Type.String({ minLength: 1, description: 'Model of the server, such as u2net, isnet-general-use or birefnet-general.' }), 'u2net'),
  }),
})
