/** The door `recourse/config`: what a `recourse.config.js` is made with. */
export { defineConfig, type RecourseConfig, type Surroundings } from './define-config.js';
export { ConfigurationInvalid } from './configuration-invalid.js';
