"""Serves moto's EC2, Elastic Load Balancing and CloudWatch on 127.0.0.1 at the port given, corrected where it accepts requests that AWS documents as rejected."""

import sys
import threading

from moto.ec2 import utils
from moto.ec2.exceptions import EC2ClientError, RouteAlreadyExistsError
from moto.ec2.models.elastic_ip_addresses import ElasticAddress, ElasticAddressBackend
from moto.ec2.models.route_tables import RouteBackend
from moto.ec2.responses.elastic_ip_addresses import ElasticIPAddresses
from moto.ec2.responses.elastic_network_interfaces import ElasticNetworkInterfaces
from moto.elbv2 import models as elbv2
from moto.server import main


def addresses_of(eni):
    return [each["PrivateIpAddress"] for each in eni.private_ip_addresses]


# DescribeNetworkInterfaces: "addresses.private-ip-address" matches any address of an interface, not only the first.
is_filter_matching = utils.is_filter_matching


def matches(obj, name, values):
    if name == "addresses.private-ip-address":
        return any(each in values for each in addresses_of(obj))
    if name == "ipv6-addresses.ipv6-address":
        return any(each in values for each in obj.ipv6_addresses)
    return is_filter_matching(obj, name, values)


utils.is_filter_matching = matches

# CreateRoute: an existing destination is rejected.
create_route = RouteBackend.create_route


def create_route_once(self, route_table_id, destination_cidr_block, destination_ipv6_cidr_block=None, *args, **kwargs):
    for route in self.get_route_table(route_table_id).routes:
        for wanted, there in (
            (destination_cidr_block, route.destination_cidr_block),
            (destination_ipv6_cidr_block, route.destination_ipv6_cidr_block),
        ):
            if wanted and wanted == there:
                raise RouteAlreadyExistsError(wanted)
    return create_route(self, route_table_id, destination_cidr_block, destination_ipv6_cidr_block, *args, **kwargs)


RouteBackend.create_route = create_route_once

# AssignPrivateIpAddresses: an address is on one interface of a VPC. It is reassigned only on request, with its Elastic IP.
assign = ElasticNetworkInterfaces.assign_private_ip_addresses


def assign_once(self):
    target = self.ec2_backend.get_network_interface(self._get_param("NetworkInterfaceId"))
    for address in self._get_param("PrivateIpAddresses", []):
        for other in self.ec2_backend.enis.values():
            if other is target or other.subnet.vpc_id != target.subnet.vpc_id or address not in addresses_of(other):
                continue
            if other.private_ip_address == address or not self._get_bool_param("AllowReassignment", False):
                raise EC2ClientError("InvalidParameterValue", f"[{address}] is assigned to another interface.")
            other.private_ip_addresses = [
                each for each in other.private_ip_addresses if each["PrivateIpAddress"] != address
            ]
            for elastic in self.ec2_backend.addresses:
                if elastic.eni is other and elastic.private_ip_address == address:
                    elastic.eni = target
    return assign(self)


ElasticNetworkInterfaces.assign_private_ip_addresses = assign_once

# AssociateAddress: PrivateIpAddress is used, and must be an address of the interface.
associate = ElasticAddressBackend.associate_address
answer_associate = ElasticIPAddresses.associate_address


def associate_at(self):
    address = self._get_param("PrivateIpAddress")
    eni = self.ec2_backend.get_network_interface(self._get_param("NetworkInterfaceId"))
    if address and address not in addresses_of(eni):
        raise EC2ClientError("InvalidParameterValue", f"{address} is not an address of {eni.id}.")
    answer = answer_associate(self)
    for elastic in self.ec2_backend.addresses:
        if elastic.allocation_id == self._get_param("AllocationId"):
            elastic.at = address or eni.private_ip_address
    return answer


ElasticIPAddresses.associate_address = associate_at
ElasticAddress.private_ip_address = property(lambda self: getattr(self, "at", None) if self.eni else None)

# CreateLoadBalancer: the ARN of a network balancer contains its type, and its metrics use that part of the ARN. A
# request that is repeated, as clients do after a lost connection, returns the existing one.
making = threading.local()
creating = threading.Lock()
create_balancer = elbv2.ELBv2Backend.create_load_balancer
make_arn = elbv2.make_arn_for_load_balancer


def create_of_type(self, *, name, scheme, loadbalancer_type, **kwargs):
    making.type = loadbalancer_type
    with creating:
        for there in self.load_balancers.values():
            if there.name != name:
                continue
            if (there.scheme, there.type) != (scheme, loadbalancer_type or "application"):
                raise elbv2.DuplicateLoadBalancerName()
            return there
        return create_balancer(self, name=name, scheme=scheme, loadbalancer_type=loadbalancer_type, **kwargs)


def make_arn_of_type(*args, **kwargs):
    arn = make_arn(*args, **kwargs)
    return arn.replace(":loadbalancer/app/", ":loadbalancer/net/") if making.type == "network" else arn


elbv2.ELBv2Backend.create_load_balancer = create_of_type
elbv2.make_arn_for_load_balancer = make_arn_of_type

main(["-H", "127.0.0.1", "-p", sys.argv[1]])
