/* For `warpstep cc` and the runtime: how PTX of a source with -rdc=true begins; its name follows.
 */
#ifndef WARPSTEP_RELOCATABLE_H
#define WARPSTEP_RELOCATABLE_H

#define WS_RELOCATABLE_MARK "// warpstep: relocatable device code of "

#endif
