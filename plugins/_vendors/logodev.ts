import { Fault, nullable, or, Type, vendor } from '../../core/sdk/index.js'

/**
 * logo.dev. Addresses of its images contain the publishable key and are returned to callers, so that key is a
 * setting, not a secret; the secret key of its REST API adds names, descriptions and colours and never appears in an
 * address.
 */
export const logodev = vendor({
  id: 'logodev',
  title: 'logo.dev',
  home: 'https://www.logo.dev/docs',
  baseUrl: 'https://img.logo.dev',
  hosts: { api: 'https://api.logo.dev' },
  optionalSecrets: { secret_key: 'LOGODEV_SECRET_KEY' },
  settings: Type.Object({
    publishable_key: or(
      nullable(
        Type.String({
          pattern: '^[A-Za-z0-9_-]+$',
          maxLength: 200,
          description: 'Publishable key of logo.dev (pk_…). It is part of the logo addresses returned to callers.',
        }),
      ),
      null,
    ),
  }),
  fault: ({ status }) =>
    status === 403 ? new Fault('credentials', 'logo.dev refused the request: the plan of the key lacks it.') : undefined,
})
