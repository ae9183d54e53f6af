// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The key of a client's connection or datagrams to a service.
#pragma once

#include "address.h"

struct flow_key {
	struct address client;
	struct address service;
	__be16 client_port;
	__be16 service_port;
	__u8 protocol;
	__u8 zero[3];
};
