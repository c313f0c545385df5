import { nullable, or, Type, vendor } from '../../core/sdk/index.js'

const template = (about: string) => nullable(Type.String({ minLength: 1, description: `E2B template for ${about}; null to serve none.` }))

/**
 * E2B cloud sandboxes. There is no `auth`: requests to `sandbox` reach a machine that runs the caller's code, and the
 * key must not reach it; the adapter signs only requests to the control API.
 */
export const e2b = vendor({
  id: 'e2b',
  title: 'E2B',
  home: 'https://e2b.dev/docs',
  baseUrl: 'https://api.e2b.app',
  hosts: { sandbox: 'https://sandbox.e2b.app' },
  secrets: { api_key: 'E2B_API_KEY' },
  settings: Type.Object({
    template: or(template('everything that asks for none'), 'base'),
    data_science: or(template('the template data-science'), 'code-interpreter-v1'),
    web_dev: or(template('the template web-dev'), 'base'),
    video: or(template('the template video'), null),
  }),
})
