import { or, Type } from '../../core/sdk/index.js'

export const settings = Type.Object({
  style: or(
    Type.String({
      maxLength: 500,
      description: 'House style that is added to each prompt unless the caller sets skip_default_style; empty for none.',
    }),
    'High quality, clear composition, natural light, balanced colours.',
  ),
})
