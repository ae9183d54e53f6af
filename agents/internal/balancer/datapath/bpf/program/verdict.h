// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What a program at TCX can return. Debian's header is older than TCX.
#pragma once

#ifndef TCX_NEXT
#define TCX_NEXT -1
#define TCX_PASS 0
#define TCX_DROP 2
#define TCX_REDIRECT 7
#endif
