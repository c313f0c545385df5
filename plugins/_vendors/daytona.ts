import { nullable, or, Type, vendor } from '../../core/sdk/index.js'

const snapshot = (about: string) => nullable(Type.String({ minLength: 1, description: `Daytona snapshot for ${about}.` }))

/** Daytona cloud sandboxes. */
export const daytona = vendor({
  id: 'daytona',
  title: 'Daytona',
  home: 'https://www.daytona.io/docs',
  baseUrl: 'https://app.daytona.io/api',
  hosts: { toolbox: 'https://proxy.app.daytona.io/toolbox' },
  secrets: { api_key: 'DAYTONA_API_KEY' },
  auth: (secret) => ({ headers: { authorization: `Bearer ${secret('api_key')}` } }),
  settings: Type.Object({
    snapshot: or(snapshot('everything that asks for none; null for the default of the account'), null),
    data_science: or(snapshot('the template data-science; null to serve none'), null),
    web_dev: or(snapshot('the template web-dev; null to serve none'), null),
    video: or(snapshot('the template video; null to serve none'), null),
  }),
})
